import { invalidPolicy } from '#effects/http/http-call-error.ts'

/** An http or https URL out of a policy; throws a configuration error that names the setting. */
export function policyUrl(setting: string, text: string): string {
  const protocol = URL.canParse(text) ? new URL(text).protocol : ''
  if (protocol !== 'http:' && protocol !== 'https:')
    throw invalidPolicy(`"${setting}" is ${JSON.stringify(text)}, which is no http or https URL.`)
  return text
}

/** The same for an address that paths are put behind: without a slash at its end. */
export function authorityUrl(setting: string, text: string): string {
  return policyUrl(setting, text).replace(/\/+$/, '')
}
