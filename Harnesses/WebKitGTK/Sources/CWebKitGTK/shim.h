#pragma once

#include <gtk/gtk.h>
#include <jsc/jsc.h>
#include <libsoup/soup.h>
#include <webkit/webkit.h>

// What Swift cannot say: calls with any number of arguments, and macros.

static inline WebKitWebView *
webkitgtk_view_new(WebKitNetworkSession *session, WebKitUserContentManager *manager)
{
    return WEBKIT_WEB_VIEW(g_object_new(
        WEBKIT_TYPE_WEB_VIEW, "network-session", session, "user-content-manager", manager, NULL));
}

static inline gulong
webkitgtk_connect(
    gpointer instance, const char *signal, GCallback handler, gpointer data, GClosureNotify destroy)
{
    return g_signal_connect_data(instance, signal, handler, data, destroy, G_CONNECT_DEFAULT);
}
