import { rawUri } from './raw-uri.ts'

/** Where a catalog keeps the definition of a function: `{root}/functions/{name}/{version}/function.yaml`, of a repository the raw document. */
export function catalogedFunctionUri(root: string, name: string, version: string): string {
  const [, base = '', query = ''] = /^([^?#]*)(\?[^#]*)?/.exec(rawUri(root)) ?? []
  const steps = ['functions', name, version].map((step) => encodeURIComponent(step))
  return `${base.replace(/\/+$/, '')}/${steps.join('/')}/function.yaml${query}`
}
