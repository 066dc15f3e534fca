import type { Config } from '#config/read-config.ts'
import { createLinkSender, type IdentityDeps } from '#modules/identity/index.ts'
import type { Mail } from '#platform/mail/mail-job.ts'
import type { Flags } from './flags.ts'
import { originOf } from './origin.ts'
import type { System } from './system.ts'

export interface LinkParts {
  readonly config: Config
  readonly mail: Mail
  readonly system: Pick<System, 'now' | 'randomBytes'>
}

/** Sends links in mails; they lead to pages of this installation. */
export function linkSenderOf({ config: { http }, mail, system }: LinkParts) {
  const origin = originOf(http)
  return createLinkSender({
    mail,
    now: () => new Date(system.now()),
    randomBytes: system.randomBytes,
    pageOf: (kind) => `${origin}/mail/${kind}`,
  })
}

/** The mail that asks a new user to confirm the address; `undefined` where nothing asks for it. */
export function welcomeOf(parts: LinkParts & { readonly flags: Pick<Flags, 'has'> }): IdentityDeps['welcome'] {
  if (!parts.mail.isAvailable) return undefined
  const send = linkSenderOf(parts)
  return {
    prepare: () => parts.mail.prepare(),
    send: async (tx, { email }) => {
      if (parts.flags.has('isEmailVerifyEnabled')) await send(tx, 'verify-email', email)
    },
  }
}
