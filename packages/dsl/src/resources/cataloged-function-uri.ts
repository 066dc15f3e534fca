import { rawUri } from './raw-uri.ts'

/** The URI of a function's definition in a catalog: `{root}/functions/{name}/{version}/function.yaml`, for a page of a Git host that of the raw document. */
export function catalogedFunctionUri(root: string, name: string, version: string): string {
  const [, base = '', query = ''] = /^([^?#]*)(\?[^#]*)?/.exec(rawUri(root)) ?? []
  const steps = ['functions', name, version].map((step) => encodeURIComponent(step))
  return `${base.replace(/\/+$/, '')}/${steps.join('/')}/function.yaml${query}`
}
