import { NetError } from '#platform/net/net-error.ts'
import type { WebFetch } from '#platform/net/web-fetch.ts'

type Web = Pick<WebFetch, 'fetch'>

/** Bytes of a body that is parsed as a whole, during which the process does nothing else. A million tokens are about as many. */
const wholeBytesMax = 4 * 1024 * 1024
/** Bytes of a line of a stream of events, which is parsed as a whole too. */
const lineBytesMax = 1024 * 1024

/** For requests whose response is parsed as a whole. */
export function wholeWeb(web: Web): Web {
  return boundedWeb(web, () => {
    let bytes = 0
    return (chunk) => {
      bytes += chunk.length
      return bytes > wholeBytesMax ? `the response is larger than ${wholeBytesMax} bytes` : undefined
    }
  })
}

/** For requests whose response is a stream of events. @param heard is called with each piece that arrives. */
export function streamedWeb(web: Web, heard: () => void): Web {
  return boundedWeb(web, () => {
    let lineBytes = 0
    return (chunk) => {
      heard()
      const last = chunk.lastIndexOf(lineFeed)
      const isLong = (last === -1 ? lineBytes + chunk.length : lineBytes + chunk.indexOf(lineFeed)) > lineBytesMax
      lineBytes = last === -1 ? lineBytes + chunk.length : chunk.length - last - 1
      return isLong ? `the response has a line of more than ${lineBytesMax} bytes` : undefined
    }
  })
}

const lineFeed = 10

/** @param limit makes for each response what refuses a piece of its body with a message. */
function boundedWeb(web: Web, limit: () => (chunk: Uint8Array) => string | undefined): Web {
  return {
    async fetch(input, init) {
      const response = await web.fetch(input, init)
      if (response.body === null) return response
      const refusalOf = limit()
      const bound = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          const refusal = refusalOf(chunk)
          if (refusal === undefined) controller.enqueue(chunk)
          else controller.error(new NetError('too-large', refusal))
        },
      })
      return new Response(response.body.pipeThrough(bound), { status: response.status, headers: response.headers })
    },
  }
}
