// oxlint-disable-next-line import/default -- Vite makes the address of a worker the default export.
import ownUrl from './millrace.worker.ts?worker&url'

interface UrlPolicy {
  readonly createScriptURL: (url: string) => string
}

let made: UrlPolicy | undefined

/** Browsers with Trusted Types refuse a worker of a text: this policy lets our own file through. */
function policy(): UrlPolicy {
  const { trustedTypes }: { trustedTypes?: { createPolicy: (name: string, rules: UrlPolicy) => UrlPolicy } } = Object(globalThis)
  made ??= trustedTypes?.createPolicy('workers', { createScriptURL: checked }) ?? { createScriptURL: checked }
  return made
}

function checked(url: string): string {
  if (url !== ownUrl) throw new TypeError('not a worker of this page')
  return url
}

/** The file of our workers, as the browser accepts it. */
export const workerUrl = () => policy().createScriptURL(ownUrl)
