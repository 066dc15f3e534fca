import { readFile } from 'node:fs/promises'

/** A picture of a page with a heading, an address and two labelled fields, as a PNG in base64. */
export function orderScreen(): Promise<string> {
  return readFile(new URL('order-screen.png', import.meta.url), 'base64')
}
