extension FeedVariant {
    /// In the shapes that well-known programs write.
    static let programs = [
        FeedVariant(
            "a blog's, with comments and vocabularies",
            """
            <?xml version="1.0" encoding="UTF-8"?><rss version="2.0"
                xmlns:content="http://purl.org/rss/1.0/modules/content/"
                xmlns:wfw="http://wellformedweb.org/CommentAPI/"
                xmlns:dc="http://purl.org/dc/elements/1.1/"
                xmlns:atom="http://www.w3.org/2005/Atom"
                xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"
                xmlns:slash="http://purl.org/rss/1.0/modules/slash/"
            >
            <channel>
                <title>Notes</title>
                <atom:link href="https://notes.example/feed/" rel="self" type="application/rss+xml" />
                <link>https://notes.example</link>
                <lastBuildDate>Thu, 19 Nov 2026 08:30:15 +0000</lastBuildDate>
                <sy:updatePeriod>
                hourly	</sy:updatePeriod>
                <image><url>https://notes.example/icon.png</url><title>Notes</title></image>
                <item>
                    <title>What we saw &#8211; and didn&#8217;t</title>
                    <link>https://notes.example/saw/</link>
                    <comments>https://notes.example/saw/#comments</comments>
                    <dc:creator><![CDATA[Ada]]></dc:creator>
                    <pubDate>Thu, 19 Nov 2026 08:30:15 +0000</pubDate>
                    <category><![CDATA[Walks]]></category>
                    <guid isPermaLink="false">https://notes.example/?p=7</guid>
                    <description><![CDATA[<p>It was dark. [&#8230;]</p>
            <p>The post <a href="https://notes.example/saw/">What we saw</a> appeared first on Notes.</p>]]></description>
                    <content:encoded><![CDATA[<figure><img loading="lazy" src="https://notes.example/saw.jpg" width="1024"></figure>]]></content:encoded>
                    <wfw:commentRss>https://notes.example/saw/feed/</wfw:commentRss>
                    <slash:comments>3</slash:comments>
                </item>
            </channel>
            </rss>
            """,
            "https://notes.example/?p=7 | What we saw – and didn’t | It was dark. […] The post What we saw appeared "
                + "first on Notes. | Ada | 1795077015000 | https://notes.example/saw/ | https://notes.example/saw.jpg"),
        FeedVariant(
            "a channel of videos: Atom, with everything in a group",
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns:media="http://search.yahoo.com/mrss/" xmlns="http://www.w3.org/2005/Atom">
             <link rel="self" href="http://v.example/feed?id=1"/>
             <id>yt:channel:1</id>
             <entry>
              <id>yt:video:7</id>
              <yt:videoId>7</yt:videoId>
              <title>A film</title>
              <link rel="alternate" href="https://v.example/watch?v=7"/>
              <author><name>Grace</name><uri>https://v.example/c</uri></author>
              <published>2026-11-19T08:30:15+00:00</published>
              <updated>2026-11-20T00:00:00+00:00</updated>
              <media:group>
               <media:title>A film</media:title>
               <media:content url="https://v.example/v/7" type="application/x-shockwave-flash" width="640"/>
               <media:thumbnail url="https://i.example/7.jpg" width="480" height="360"/>
               <media:description>Of trains.</media:description>
               <media:community><media:starRating count="5"/></media:community>
              </media:group>
             </entry>
            </feed>
            """,
            "yt:video:7 | A film | Of trains. | Grace | 1795077015000 | https://v.example/watch?v=7 | https://i.example/7.jpg"
        ),
        FeedVariant(
            "releases of a repository: no text, ids that are tags, a thumbnail",
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/" xml:lang="en-US">
              <id>tag:forge.example,2008:https://forge.example/a/b/releases</id>
              <entry>
                <id>tag:forge.example,2008:Repository/1/v1.0</id>
                <updated>2026-11-19T08:30:15Z</updated>
                <link rel="alternate" type="text/html" href="https://forge.example/a/b/releases/tag/v1.0"/>
                <title>v1.0</title>
                <content>No content.</content>
                <author><name>ada</name></author>
                <media:thumbnail height="30" width="30" url="https://i.example/u/1?s=60"/>
              </entry>
            </feed>
            """,
            "tag:forge.example,2008:Repository/1/v1.0 | v1.0 | No content. | ada | 1795077015000 | "
                + "https://forge.example/a/b/releases/tag/v1.0 | https://i.example/u/1?s=60"),
        FeedVariant(
            "short messages: no titles, HTML, a picture of Media RSS",
            """
            <?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:webfeeds="http://webfeeds.org/rss/1.0" xmlns:media="http://search.yahoo.com/mrss/">
            <channel><title>Ada</title><item>
            <guid isPermaLink="true">https://social.example/@ada/1</guid><link>https://social.example/@ada/1</link>
            <pubDate>Thu, 19 Nov 2026 08:30:15 +0000</pubDate>
            <description>&lt;p&gt;Good &lt;span class=&quot;h-card&quot;&gt;morning&lt;/span&gt;&lt;br /&gt;all&lt;/p&gt;</description>
            <media:content url="https://i.example/1.png" type="image/png" fileSize="5" medium="image"><media:rating scheme="urn:simple">nonadult</media:rating></media:content>
            </item></channel></rss>
            """,
            "https://social.example/@ada/1 | Good morning all | - | - | 1795077015000 | https://social.example/@ada/1 | https://i.example/1.png"
        ),
        FeedVariant(
            "a newspaper's: a style sheet, a document type, everything in CDATA, a date of its own country",
            """
            <?xml version="1.0" encoding="utf-8" standalone="yes"?>
            <?xml-stylesheet type="text/xsl" href="/style.xsl"?>
            <!DOCTYPE rss [
              <!-- it's here for old readers -->
              <!ENTITY nbsp "&#160;">
            ]>
            <rss version="2.0"><channel><title><![CDATA[Die Zeitung]]></title>
            <item><title><![CDATA[Schnee & Eis]]></title><link><![CDATA[https://z.example/1?a=b&c=d]]></link>
            <description><![CDATA[Glatt.]]></description><pubDate>Do, 19 Nov 2026 9:30:15 MEZ</pubDate>
            <guid><![CDATA[z1]]></guid><enclosure url="https://z.example/1.webp" length="1" type="image/webp"/></item></channel></rss>
            """,
            "z1 | Schnee & Eis | Glatt. | - | 1795077015000 | https://z.example/1?a=b&c=d | https://z.example/1.webp"),
        FeedVariant(
            "a library of a large company: names in a default vocabulary, a date before all dates",
            """
            <rss xmlns:a10="http://www.w3.org/2005/Atom" version="2.0" xmlns="http://backend.userland.com/rss2"><channel>
            <item><guid isPermaLink="false">a</guid><a10:author><a10:name>no</a10:name></a10:author><title>T</title>
            <pubDate>Mon, 01 Jan 0001 00:00:00 Z</pubDate></item></channel></rss>
            """, "a | T | - | - | - | - | -"),
    ]
}
