/// Attributes of names whose values have no case: those of RFC 4519 and RFC 5280 with the rule caseIgnoreMatch or
/// caseIgnoreIA5Match. The raw value is the name by which they are compared.
enum DistinguishedNameAttribute: String, CaseIterable, Sendable {
    case commonName = "cn"
    case surname = "sn"
    case serialNumber = "serialnumber"
    case country = "c"
    case locality = "l"
    case state = "st"
    case street
    case organization = "o"
    case organizationalUnit = "ou"
    case title
    case businessCategory = "businesscategory"
    case postalCode = "postalcode"
    case givenName = "givenname"
    case initials
    case generation = "generationqualifier"
    case qualifier = "dnqualifier"
    case pseudonym
    case organizationIdentifier = "organizationidentifier"
    case userIdentifier = "uid"
    case domainComponent = "dc"
    case mail = "emailaddress"

    /// By a name or an object identifier (RFC 4514 section 3, `descr` and `numericoid`); `nil` for any other.
    init?(_ type: String) {
        let type = type.lowercased()
        if let attribute = Self(rawValue: type) {
            self = attribute
        } else if let attribute = Self.allCases.first(where: { $0.otherNames.contains(type) }) {
            self = attribute
        } else {
            return nil
        }
    }

    private var otherNames: [String] {
        switch self {
        case .commonName: ["2.5.4.3", "commonname"]
        case .surname: ["2.5.4.4", "surname"]
        case .serialNumber: ["2.5.4.5"]
        case .country: ["2.5.4.6", "countryname"]
        case .locality: ["2.5.4.7", "localityname"]
        case .state: ["2.5.4.8", "stateorprovincename"]
        case .street: ["2.5.4.9", "streetaddress"]
        case .organization: ["2.5.4.10", "organizationname"]
        case .organizationalUnit: ["2.5.4.11", "organizationalunitname"]
        case .title: ["2.5.4.12"]
        case .businessCategory: ["2.5.4.15"]
        case .postalCode: ["2.5.4.17"]
        case .givenName: ["2.5.4.42", "gn"]
        case .initials: ["2.5.4.43"]
        case .generation: ["2.5.4.44"]
        case .qualifier: ["2.5.4.46"]
        case .pseudonym: ["2.5.4.65"]
        case .organizationIdentifier: ["2.5.4.97"]
        case .userIdentifier: ["0.9.2342.19200300.100.1.1", "userid"]
        case .domainComponent: ["0.9.2342.19200300.100.1.25", "domaincomponent"]
        case .mail: ["1.2.840.113549.1.9.1", "email", "e"]
        }
    }
}
