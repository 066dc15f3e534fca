import { isArray, isObject, type Json } from '#core/json.ts'
import { invalidArgument } from './http-call-error.ts'

/**
 * Adds the `query` argument to a URL, after the parameters that the URL has already.
 *
 * Arrays give one parameter per item, null and empty arrays none; numbers and booleans are written as text.
 */
export function addQuery(url: URL, argument: Json | undefined): void {
  if (argument === undefined || argument === null) return
  if (!isObject(argument)) throw invalidArgument('"query" must be an object of names and values.')
  const pairs: string[] = []
  for (const [name, value] of Object.entries(argument)) {
    for (const item of isArray(value) ? value : [value]) {
      if (item === null) continue
      if (typeof item === 'object') {
        throw invalidArgument(`The query parameter "${name}" must be a string, number, boolean, null, or an array of these.`)
      }
      pairs.push(`${encode(name)}=${encode(String(item))}`)
    }
  }
  if (pairs.length === 0) return
  // What the author wrote in the URI stays byte for byte as it is; URLSearchParams would write it anew (`%20` as `+`).
  url.search = url.search === '' ? pairs.join('&') : `${url.search}&${pairs.join('&')}`
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
