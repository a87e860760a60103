extension FeedVariant {
    /// RSS as it should be, and as it is.
    static let rss = [
        FeedVariant(
            "RSS 2.0",
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <rss version="2.0"><channel><title>News</title><link>https://n.example/</link>
            <item><title>First</title><link>https://n.example/1</link><guid>n1</guid>
            <description>Some text</description><pubDate>Sun, 06 Nov 1994 08:49:37 GMT</pubDate></item>
            <item><title>Second</title><link>https://n.example/2</link><guid isPermaLink="false">n2</guid></item>
            </channel></rss>
            """, "n1 | First | Some text | - | 784111777000 | https://n.example/1 | -",
            "n2 | Second | - | - | - | https://n.example/2 | -"),
        FeedVariant(
            "HTML in CDATA, a picture in it",
            """
            <rss><channel><item><guid>a</guid><title><![CDATA[A <b>bold</b> & brave]]></title>
            <description><![CDATA[<p>One</p><img src="https://i.example/1.png"/><p>two&nbsp;</p>]]></description></item></channel></rss>
            """, "a | A bold & brave | One two | - | - | - | https://i.example/1.png"),
        FeedVariant(
            "HTML escaped, entities of HTML in XML, an ampersand alone",
            """
            <rss><channel><item><guid>a</guid><title>R&D &ndash; caf&eacute; &amp;amp; co</title>
            <description>&lt;p&gt;x &amp;lt; y&lt;/p&gt;</description></item></channel></rss>
            """, "a | R&D – café & co | x < y | - | - | - | -"),
        FeedVariant(
            "blanks before the declaration, a control character",
            "\n  <?xml version=\"1.0\"?><rss><channel><item><guid>a</guid><title>T\u{8}</title></item></channel></rss>",
            "a | T | - | - | - | - | -"),
        FeedVariant(
            "Dublin Core, content:encoded, no guid",
            """
            <rss xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>
            <item><title>T</title><link> https://n.example/1
            </link><dc:creator>Ada</dc:creator><dc:date>2026-11-19T08:30:15Z</dc:date>
            <content:encoded><![CDATA[<p>Whole</p>]]></content:encoded></item></channel></rss>
            """, "https://n.example/1 | T | Whole | Ada | 1795077015000 | https://n.example/1 | -"),
        FeedVariant(
            "prefixes that nothing declares",
            """
            <rss><channel><item><guid>a</guid><title>T</title><media:thumbnail url="https://i.example/t.jpg"/>
            <media:title>no</media:title></item></channel></rss>
            """, "a | T | - | - | - | - | https://i.example/t.jpg"),
        FeedVariant(
            "media in a group, the video is no picture",
            """
            <rss xmlns:media="http://search.yahoo.com/mrss/"><channel><item><guid>a</guid><title>T</title><media:group>
            <media:content url="https://i.example/v.mp4" medium="video"/><media:content url="https://i.example/p" type="image/png"/>
            </media:group></item></channel></rss>
            """, "a | T | - | - | - | - | https://i.example/p"),
        FeedVariant(
            "a podcast: the enclosure is sound, the picture is elsewhere",
            """
            <rss xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><item><guid>e1</guid><title>One</title>
            <itunes:title>no</itunes:title><enclosure url="https://p.example/1.mp3" type="audio/mpeg" length="5"/>
            <itunes:image href="https://p.example/1.jpg"/><itunes:author>Grace</itunes:author></item></channel></rss>
            """, "e1 | One | - | Grace | - | https://p.example/1.mp3 | https://p.example/1.jpg"),
        FeedVariant(
            "an enclosure that is a picture, a mail address for an author",
            """
            <rss><channel><item><guid>a</guid><title>T</title><author>ada@example.org (Ada Lovelace)</author>
            <enclosure url="https://i.example/e.jpg" type="image/jpeg" length="1"/></item></channel></rss>
            """, "a | T | - | Ada Lovelace | - | - | https://i.example/e.jpg"),
        FeedVariant(
            "entries without titles: the text is the title",
            """
            <rss><channel><item><guid>a</guid><description>Only &lt;i&gt;text&lt;/i&gt;</description></item></channel></rss>
            """, "a | Only text | - | - | - | - | -"),
        FeedVariant(
            "a guid that is the link, twice, and a date that is none",
            """
            <rss><channel><item><guid>https://n.example/1</guid><title>T</title><pubDate>yesterday</pubDate></item>
            <item><guid>https://n.example/1</guid><title>Again</title></item></channel></rss>
            """, "https://n.example/1 | T | - | - | - | https://n.example/1 | -"),
        FeedVariant(
            "two digits of a year, a zone by name, a one-digit day",
            """
            <rss version="0.92"><channel><item><guid>a</guid><title>T</title><pubDate>Sun, 6 Nov 94 03:49:37 EST</pubDate></item></channel></rss>
            """, "a | T | - | - | 784111777000 | - | -"),
        FeedVariant(
            "an atom:link where the link is missing",
            """
            <rss xmlns:a10="http://www.w3.org/2005/Atom"><channel><item><guid isPermaLink="false">a</guid><title>T</title>
            <a10:link href="https://n.example/a"/><a10:updated>2026-11-19T08:30:15Z</a10:updated></item></channel></rss>
            """, "a | T | - | - | 1795077015000 | https://n.example/a | -"),
        FeedVariant("no entries", "<rss><channel><title>Quiet</title></channel></rss>"),
        FeedVariant(
            "tags that end late, in another order, or never",
            """
            <rss><channel><item><guid>a</guid><hr><title>T<br>wo</title><description>One <p>two</description></item>
            <item><guid>b</guid><title>U</ttile></title><link>https://n.example/b</item></channel></rss>
            """, "a | T wo | One two | - | - | - | -", "b | U | - | - | - | https://n.example/b | -"),
        FeedVariant(
            "HTML that is not escaped",
            """
            <rss><channel><item><guid>a</guid><title>T</title>
            <description><p>Some <b>bold</b><img src=https://i.example/1.png width=400>text</p></description></item></channel></rss>
            """, "a | T | Some bold text | - | - | - | https://i.example/1.png"),
        FeedVariant(
            "warnings of a program before it, comments behind it, capitals, quotes that are none",
            """
            Warning: mysql_connect() in /srv/feed.php on line 7 < 8
            <RSS VERSION=2.0><Channel><Item><GUID isPermaLink=false>a</GUID><Title>T</Title></Item></Channel></RSS><!-- 0.2 s -->
            """, "a | T | - | - | - | - | -"),
        FeedVariant(
            "one name for all entries: they go by their pages",
            """
            <rss><channel><item><guid>x</guid><title>A</title><link>https://n.example/a</link></item>
            <item><guid>x</guid><title>B</title><link>https://n.example/b</link></item><item/></channel></rss>
            """, "x | A | - | - | - | https://n.example/a | -",
            "https://n.example/b | B | - | - | - | https://n.example/b | -"),
        FeedVariant(
            "Media RSS without its slash, by a prefix of one's own; a picture that counts readers is none",
            """
            <rss xmlns:m="https://search.yahoo.com/mrss"><channel>
            <item><guid>a</guid><title>A</title><m:content url="https://i.example/a.JPG?w=1"><m:title>no</m:title></m:content></item>
            <item><guid>b</guid><title>B</title><description>x&lt;img src="https://c.example/1.gif" width="1"&gt;</description></item>
            </channel></rss>
            """, "a | A | - | - | - | - | https://i.example/a.JPG?w=1", "b | B | x | - | - | - | -"),
        FeedVariant(
            "a podcast whose episodes have no page: they lead to what is heard",
            """
            <rss><channel><item><guid isPermaLink="false">e</guid><title>E</title>
            <enclosure url="https://p.example/e.mp3" type="audio/mpeg" length="0"/></item></channel></rss>
            """, "e | E | - | - | - | https://p.example/e.mp3 | -"),
        FeedVariant(
            "letters of windows-1252 by number, entities in attributes",
            """
            <rss><channel><item><guid>a</guid><title>It&#146;s &#x2019;&#0;&#8;</title>
            <enclosure type="image/png" url="https://i.example/?a=1&amp;b=2"/></item></channel></rss>
            """, "a | It’s ’ | - | - | - | - | https://i.example/?a=1&b=2"),
    ]
}
