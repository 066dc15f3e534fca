import { authEmail, authFactors, authPasskeys, authPhone, authProfile, authUser } from '@millrace/contract'
import { flagsOf } from '#config/default-flags.ts'
import type { Config } from '#config/read-config.ts'
import {
  composeFactors,
  composePasskeys,
  composePhone,
  composeProfile,
  createMailLinks,
  deleteExpiredChallenges,
  deleteExpiredLinks,
  mailLinkHandlers,
} from '#modules/identity/index.ts'
import { served } from '#platform/http/index.ts'
import type { Feature, FeatureParts } from './feature.ts'
import { loginProvidersOf } from './external-sign-in.ts'
import { reclaimOf } from './reclaim.ts'
import { composeSms } from './sms.ts'
import { sessionCookieOf } from './session-cookie.ts'
import { linkSenderOf } from './welcome.ts'

const rowsMax = 1_000

/** Links in mails, second factors and the step-up. */
export function composeIdentity(parts: FeatureParts): Feature {
  const { authentication, config, database, logger, mail, sealing, secretKey, system } = parts
  const { identity, passwords } = authentication
  const { sessions, completeSignIn, throttle } = identity
  const { newId, randomBytes } = system
  const db = database.system
  const now = () => new Date(system.now())
  const cookie = sessionCookieOf(parts)
  const { sms, jobs } = composeSms(parts)
  const phone = composePhone({ db, sms, settings: config.sms, secretKey, origin: config.http.publicUrl, logger, now, randomBytes })
  const passkeys = composePasskeys({ db, publicUrl: config.http.publicUrl, now, newId, randomBytes })
  const common = { db, mail, passwords, sessions, throttle, now }
  const sealed = { sealing, secretKey, randomBytes, issuer: issuerOf(config) }
  const { factors, handlers: factorHandlers } = composeFactors({
    ...common,
    ...sealed,
    provePhone: phone.prove,
    provePasskey: passkeys.prove,
  })
  const profile = composeProfile({
    ...common,
    flags: flagsOf(config),
    hasPasskeys: passkeys.isAvailable,
    providers: () => loginProvidersOf(config),
    gate: authentication.gate,
  })
  const sendLink = linkSenderOf(parts)
  const links = createMailLinks({ db, mail, sessions, completeSignIn, passwords, reclaim: reclaimOf(parts), now, randomBytes, sendLink })
  return {
    groups: {
      authEmail: served(authEmail, mailLinkHandlers(links, cookie)),
      authProfile: served(authProfile, profile.authProfile),
      authPhone: served(authPhone, phone.handlers({ factors, sessions, completeSignIn, cookie })),
      authPasskeys: served(authPasskeys, passkeys.handlers({ factors, sessions, completeSignIn, cookie })),
      authUser: served(authUser, profile.authUser),
      authFactors: served(authFactors, factorHandlers(cookie)),
    },
    jobs,
    maintenance: [
      ...phone.maintenance,
      ...passkeys.maintenance,
      { name: 'sign-in-challenges', run: () => deleteExpiredChallenges(db, now(), rowsMax) },
      { name: 'mail-links', run: () => deleteExpiredLinks(db, now(), rowsMax) },
    ],
  }
}

/** The name of the installation in authenticator apps. */
function issuerOf({ http: { publicUrl } }: Pick<Config, 'http'>): string {
  return publicUrl === undefined ? 'Millrace' : `Millrace (${new URL(publicUrl).host})`
}
