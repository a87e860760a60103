/// The page that every server serves: the files of `Resources`, which are part of the binary, so that a program that
/// imports this library has the page too.
enum Page {
    /// By the path at which a browser asks for them. `Scripts/bundle` writes it; a test holds it to the folder.
    static let files: [String: [UInt8]] = [
        "apple-touch-icon.png": PackageResources.apple_touch_icon_png,
        "connection/local-watch.js": PackageResources.local_watch_js,
        "connection/local-watch.js.map": PackageResources.local_watch_js_map,
        "connection/offline-store.js": PackageResources.offline_store_js,
        "connection/offline-store.js.map": PackageResources.offline_store_js_map,
        "custom-elements.json": PackageResources.custom_elements_json,
        "element/list-renderer.js": PackageResources.list_renderer_js,
        "element/list-renderer.js.map": PackageResources.list_renderer_js_map,
        "gesture/pull-controller.js": PackageResources.pull_controller_js,
        "gesture/pull-controller.js.map": PackageResources.pull_controller_js_map,
        "icon-192.png": PackageResources.icon_192_png,
        "icon-512.png": PackageResources.icon_512_png,
        "icon-maskable-512.png": PackageResources.icon_maskable_512_png,
        "icon.svg": PackageResources.icon_svg,
        "index.html": PackageResources.index_html,
        "manifest.webmanifest": PackageResources.manifest_webmanifest,
        "package.json": PackageResources.package_json,
        "page/page.css": PackageResources.page_css,
        "page/page.js": PackageResources.page_js,
        "page/page.js.map": PackageResources.page_js_map,
        "refreshable-list.d.ts": PackageResources.refreshable_list_d_ts,
        "refreshable-list.js": PackageResources.refreshable_list_js,
        "refreshable-list.js.map": PackageResources.refreshable_list_js_map,
        "refreshable-list.react.d.ts": PackageResources.refreshable_list_react_d_ts,
        "rows/load-more.js": PackageResources.load_more_js,
        "rows/load-more.js.map": PackageResources.load_more_js_map,
        "sw.js": PackageResources.sw_js,
        "words/language.js": PackageResources.language_js,
        "words/language.js.map": PackageResources.language_js_map,
        "words/translations.js": PackageResources.translations_js,
        "words/translations.js.map": PackageResources.translations_js_map,
    ]
}
