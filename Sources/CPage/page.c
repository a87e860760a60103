// Written by Scripts/bundle.
#include "page.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file0[] = {
#embed "Resources/actions/row-actions.js"
};
static const unsigned char file1[] = {
#embed "Resources/actions/row-actions.js.map"
};
static const unsigned char file2[] = {
#embed "Resources/apple-touch-icon.png"
};
static const unsigned char file3[] = {
#embed "Resources/connection/local-watch.js"
};
static const unsigned char file4[] = {
#embed "Resources/connection/local-watch.js.map"
};
static const unsigned char file5[] = {
#embed "Resources/connection/offline-store.js"
};
static const unsigned char file6[] = {
#embed "Resources/connection/offline-store.js.map"
};
static const unsigned char file7[] = {
#embed "Resources/custom-elements.json"
};
static const unsigned char file8[] = {
#embed "Resources/element/list-renderer.js"
};
static const unsigned char file9[] = {
#embed "Resources/element/list-renderer.js.map"
};
static const unsigned char file10[] = {
#embed "Resources/gesture/pull-controller.js"
};
static const unsigned char file11[] = {
#embed "Resources/gesture/pull-controller.js.map"
};
static const unsigned char file12[] = {
#embed "Resources/icon-192.png"
};
static const unsigned char file13[] = {
#embed "Resources/icon-512.png"
};
static const unsigned char file14[] = {
#embed "Resources/icon-maskable-512.png"
};
static const unsigned char file15[] = {
#embed "Resources/icon.svg"
};
static const unsigned char file16[] = {
#embed "Resources/index.html"
};
static const unsigned char file17[] = {
#embed "Resources/manifest.webmanifest"
};
static const unsigned char file18[] = {
#embed "Resources/package.json"
};
static const unsigned char file19[] = {
#embed "Resources/page/notifications.js"
};
static const unsigned char file20[] = {
#embed "Resources/page/notifications.js.map"
};
static const unsigned char file21[] = {
#embed "Resources/page/page.css"
};
static const unsigned char file22[] = {
#embed "Resources/page/page.js"
};
static const unsigned char file23[] = {
#embed "Resources/page/page.js.map"
};
static const unsigned char file24[] = {
#embed "Resources/refreshable-list.d.ts"
};
static const unsigned char file25[] = {
#embed "Resources/refreshable-list.js"
};
static const unsigned char file26[] = {
#embed "Resources/refreshable-list.js.map"
};
static const unsigned char file27[] = {
#embed "Resources/refreshable-list.react.d.ts"
};
static const unsigned char file28[] = {
#embed "Resources/rows/load-more.js"
};
static const unsigned char file29[] = {
#embed "Resources/rows/load-more.js.map"
};
static const unsigned char file30[] = {
#embed "Resources/rows/sections.js"
};
static const unsigned char file31[] = {
#embed "Resources/rows/sections.js.map"
};
static const unsigned char file32[] = {
#embed "Resources/rows/unread-rows.js"
};
static const unsigned char file33[] = {
#embed "Resources/rows/unread-rows.js.map"
};
static const unsigned char file34[] = {
#embed "Resources/scrolling/scroll-position.js"
};
static const unsigned char file35[] = {
#embed "Resources/scrolling/scroll-position.js.map"
};
static const unsigned char file36[] = {
#embed "Resources/scrolling/virtualizer.js"
};
static const unsigned char file37[] = {
#embed "Resources/scrolling/virtualizer.js.map"
};
static const unsigned char file38[] = {
#embed "Resources/sw.js"
};
static const unsigned char file39[] = {
#embed "Resources/words/language.js"
};
static const unsigned char file40[] = {
#embed "Resources/words/language.js.map"
};
static const unsigned char file41[] = {
#embed "Resources/words/translations.js"
};
static const unsigned char file42[] = {
#embed "Resources/words/translations.js.map"
};

static const struct page_file files[] = {
    {"actions/row-actions.js", file0, sizeof file0},
    {"actions/row-actions.js.map", file1, sizeof file1},
    {"apple-touch-icon.png", file2, sizeof file2},
    {"connection/local-watch.js", file3, sizeof file3},
    {"connection/local-watch.js.map", file4, sizeof file4},
    {"connection/offline-store.js", file5, sizeof file5},
    {"connection/offline-store.js.map", file6, sizeof file6},
    {"custom-elements.json", file7, sizeof file7},
    {"element/list-renderer.js", file8, sizeof file8},
    {"element/list-renderer.js.map", file9, sizeof file9},
    {"gesture/pull-controller.js", file10, sizeof file10},
    {"gesture/pull-controller.js.map", file11, sizeof file11},
    {"icon-192.png", file12, sizeof file12},
    {"icon-512.png", file13, sizeof file13},
    {"icon-maskable-512.png", file14, sizeof file14},
    {"icon.svg", file15, sizeof file15},
    {"index.html", file16, sizeof file16},
    {"manifest.webmanifest", file17, sizeof file17},
    {"package.json", file18, sizeof file18},
    {"page/notifications.js", file19, sizeof file19},
    {"page/notifications.js.map", file20, sizeof file20},
    {"page/page.css", file21, sizeof file21},
    {"page/page.js", file22, sizeof file22},
    {"page/page.js.map", file23, sizeof file23},
    {"refreshable-list.d.ts", file24, sizeof file24},
    {"refreshable-list.js", file25, sizeof file25},
    {"refreshable-list.js.map", file26, sizeof file26},
    {"refreshable-list.react.d.ts", file27, sizeof file27},
    {"rows/load-more.js", file28, sizeof file28},
    {"rows/load-more.js.map", file29, sizeof file29},
    {"rows/sections.js", file30, sizeof file30},
    {"rows/sections.js.map", file31, sizeof file31},
    {"rows/unread-rows.js", file32, sizeof file32},
    {"rows/unread-rows.js.map", file33, sizeof file33},
    {"scrolling/scroll-position.js", file34, sizeof file34},
    {"scrolling/scroll-position.js.map", file35, sizeof file35},
    {"scrolling/virtualizer.js", file36, sizeof file36},
    {"scrolling/virtualizer.js.map", file37, sizeof file37},
    {"sw.js", file38, sizeof file38},
    {"words/language.js", file39, sizeof file39},
    {"words/language.js.map", file40, sizeof file40},
    {"words/translations.js", file41, sizeof file41},
    {"words/translations.js.map", file42, sizeof file42},
};
const struct page_file *const page_files = files;
const size_t page_file_count = sizeof files / sizeof files[0];
