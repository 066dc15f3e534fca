/** How the recorder gets into a page. */
export interface RecorderLinks {
  readonly endpoint: string
  readonly script: string
  readonly bookmarklet: string
  readonly page: string
}

/** @param origin where browsers reach this installation. */
export function recorderLinks(origin: string, token: string): RecorderLinks {
  const endpoint = `${origin}/capture/${token}`
  const script = `${origin}/capture/recorder.js`
  return { endpoint, script, bookmarklet: bookmarkletOf(script, endpoint), page: `${endpoint}/page` }
}

function bookmarkletOf(script: string, endpoint: string): string {
  const code = `(()=>{const s=document.createElement('script');s.src=${JSON.stringify(script)};s.dataset.endpoint=${JSON.stringify(endpoint)};document.head.append(s)})()`
  return `javascript:${encodeURIComponent(code)}`
}
