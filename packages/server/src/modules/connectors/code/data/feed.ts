import { type Json, type JsonObject, textOf } from '@millrace/engine'
import { type AnyFeed, parseFeed } from 'feedsmith'
import { DataError } from './data-error.ts'

const itemsDefault = 50
const summaryMax = 20_000

/** The text of `rss.read`: RSS, RDF, Atom and JSON Feed in one form, newest first as the feed has them. */
export function readFeed({ text, itemsMax = itemsDefault }: JsonObject): Json {
  const given = textOf(text) ?? ''
  if (/<!ENTITY/i.test(given)) throw new DataError('The feed declares entities, which are refused.')
  return { ...partsOf(parsed(given, Number(itemsMax))) }
}

function parsed(text: string, maxItems: number): AnyFeed {
  try {
    return parseFeed(text, { maxItems })
  } catch (error) {
    throw new DataError('The reply is not a feed of RSS, RDF, Atom or JSON Feed.', { cause: error })
  }
}

function partsOf({ format, feed }: AnyFeed): JsonObject {
  switch (format) {
    case 'rss':
      return {
        format,
        title: feed.title ?? null,
        link: feed.link ?? null,
        items: (feed.items ?? []).map((item) =>
          entry(item.guid?.value ?? item.link, item.title, item.link, item.pubDate ?? item.dc?.dates?.[0], item.description),
        ),
      }
    case 'rdf':
      return {
        format,
        title: feed.title ?? null,
        link: feed.link ?? null,
        items: (feed.items ?? []).map((item) => entry(item.link, item.title, item.link, item.dc?.dates?.[0], item.description)),
      }
    case 'atom':
      return {
        format,
        title: textIn(feed.title) ?? null,
        link: feed.links?.[0]?.href ?? null,
        items: (feed.entries ?? []).map((item) =>
          entry(
            item.id,
            textIn(item.title),
            item.links?.[0]?.href,
            item.published ?? item.updated,
            textIn(item.summary) ?? textIn(item.content),
          ),
        ),
      }
    case 'json':
      return {
        format,
        title: feed.title ?? null,
        link: feed.home_page_url ?? null,
        items: (feed.items ?? []).map((item) =>
          entry(item.id, item.title, item.url, item.date_published, item.summary ?? item.content_text ?? item.content_html),
        ),
      }
  }
}

function entry(
  id: string | undefined,
  title: string | undefined,
  link: string | undefined,
  date: string | undefined,
  summary: string | undefined,
): JsonObject {
  const at = date === undefined ? Number.NaN : Date.parse(date)
  return {
    id: id ?? null,
    title: title ?? null,
    link: link ?? null,
    publishedAt: Number.isNaN(at) ? null : new Date(at).toISOString(),
    summary: summary?.slice(0, summaryMax) ?? null,
  }
}

/** A text of Atom, which has a type beside its value in some versions of the parser. */
function textIn(given: unknown): string | undefined {
  if (typeof given === 'string') return given
  const value: unknown = typeof given === 'object' && given !== null ? Reflect.get(given, 'value') : undefined
  return typeof value === 'string' ? value : undefined
}
