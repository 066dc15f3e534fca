// oxlint-disable import/default -- Vite makes the address of a worker the default export.
import documentUrl from './document.worker.ts?worker&url'
import checkUrl from './check.worker.ts?worker&url'
// oxlint-enable import/default

interface UrlPolicy {
  readonly createScriptURL: (url: string) => string
}

let made: UrlPolicy | undefined

/** Browsers with Trusted Types refuse a worker of a text: this policy lets our own two files through. */
function policy(): UrlPolicy {
  const { trustedTypes }: { trustedTypes?: { createPolicy: (name: string, rules: UrlPolicy) => UrlPolicy } } = Object(globalThis)
  made ??= trustedTypes?.createPolicy('workers', { createScriptURL: ownUrl }) ?? { createScriptURL: ownUrl }
  return made
}

function ownUrl(url: string): string {
  if (url !== documentUrl && url !== checkUrl) throw new TypeError('not a worker of this page')
  return url
}

/** The files of our workers, as the browser accepts them. */
export const workerUrls = {
  document: () => policy().createScriptURL(documentUrl),
  check: () => policy().createScriptURL(checkUrl),
}
