import { createHmac, timingSafeEqual } from 'node:crypto'
import { parse, stringify } from 'uuid'
import type { NewsletterLinks } from '#modules/public-forms/form-mails.ts'

export type NewsletterLinksOf = (id: string) => NewsletterLinks

export type NewsletterAction = 'confirm' | 'unsubscribe'

const idBytes = 16
const macBytes = 16

/** Makes and reads links that are valid without being stored: the id of the subscription with a code of authenticity. */
export function createNewsletterLinks(key: Uint8Array, origin: string) {
  const macOf = (action: NewsletterAction, id: Uint8Array) =>
    createHmac('sha256', key).update(`newsletter/${action}/`).update(id).digest().subarray(0, macBytes)
  const urlOf = (action: NewsletterAction, id: Uint8Array) =>
    `${origin}/newsletter/${action}-${Buffer.concat([id, macOf(action, id)]).toString('base64url')}`
  return {
    linksOf(id: string): NewsletterLinks {
      const bytes = parse(id)
      return { confirmUrl: urlOf('confirm', bytes), unsubscribeUrl: urlOf('unsubscribe', bytes) }
    },
    /** `undefined` for a token that is not ours. */
    read(token: string): { readonly action: NewsletterAction; readonly id: string } | undefined {
      const [, action, text] = /^(confirm|unsubscribe)-([\w-]{43})$/.exec(token) ?? []
      if ((action !== 'confirm' && action !== 'unsubscribe') || text === undefined) return undefined
      const bytes = Buffer.from(text, 'base64url')
      const id = bytes.subarray(0, idBytes)
      return timingSafeEqual(bytes.subarray(idBytes), macOf(action, id)) ? { action, id: stringify(id) } : undefined
    },
  }
}
