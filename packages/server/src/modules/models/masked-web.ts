import { createTextMask } from '@millrace/engine'
import type { WebFetch } from '#platform/net/web-fetch.ts'

/** Replaces a key in everything that its endpoint returns, as some do in messages about refused keys. */
export function maskedWeb(web: Pick<WebFetch, 'fetch'>, key: string): Pick<WebFetch, 'fetch'> {
  const mask = createTextMask([key])
  return {
    async fetch(input, init) {
      const response = await web.fetch(input, init)
      const headers = Object.fromEntries([...response.headers].map(([name, value]) => [name, mask.text(value)]))
      delete headers['content-length']
      const body = response.body === null ? null : response.body.pipeThrough(maskedText(key, mask.text))
      return new Response(body, { status: response.status, headers })
    },
  }
}

/** Masks a stream of UTF-8. What may be the beginning of the key at the end of a piece waits for the next one. */
function maskedText(key: string, mask: (text: string) => string): TransformStream<Uint8Array, Uint8Array> {
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()]
  let kept = ''
  return new TransformStream({
    transform(chunk, controller) {
      const text = mask(kept + decoder.decode(chunk, { stream: true }))
      const length = beginningAtEnd(text, key)
      kept = text.slice(text.length - length)
      if (length < text.length) controller.enqueue(encoder.encode(text.slice(0, text.length - length)))
    },
    flush(controller) {
      const text = mask(kept + decoder.decode())
      if (text !== '') controller.enqueue(encoder.encode(text))
    },
  })
}

/** The length of the longest end of a text that is a beginning of the key. */
function beginningAtEnd(text: string, key: string): number {
  for (let length = Math.min(text.length, key.length - 1); length > 0; length--) if (key.startsWith(text.slice(-length))) return length
  return 0
}
