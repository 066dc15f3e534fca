import { authEmail, authFactors, authPasskeys, authPhone, authProfile, authUser } from '@millrace/contract'
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
import { inBatches } from '#platform/db/in-batches.ts'
import type { Feature, FeatureParts } from './feature.ts'
import { loginProvidersOf } from './external-sign-in.ts'
import { reclaimOf } from './reclaim.ts'
import { composeSms } from './sms.ts'
import { sessionCookieOf } from './session-cookie.ts'
import { linkSenderOf } from './welcome.ts'

/** Links in mails, second factors and the step-up. */
export function composeIdentity(parts: FeatureParts): Feature {
  const { authentication, config, database, flags, logger, mail, sealing, secretKey, system } = parts
  const { identity, passwords } = authentication
  const { sessions, completeSignIn, findFactors, throttle } = identity
  const { newId, randomBytes } = system
  const db = database.system
  const now = () => new Date(system.now())
  const cookie = sessionCookieOf(parts)
  const { sms, jobs } = composeSms(parts)
  const phone = composePhone({ db, sms, settings: config.sms, secretKey, origin: config.http.publicUrl, logger, now, randomBytes })
  const passkeys = composePasskeys({ db, publicUrl: config.http.publicUrl, now, newId, randomBytes })
  const common = { db, mail, passwords, sessions, findFactors, throttle, now }
  const isDemanded = config.signIn.demandsSecondFactor
  const sealed = { sealing, secretKey, randomBytes, issuer: issuerOf(config), isDemanded }
  const { factors, handlers: factorHandlers } = composeFactors({
    ...common,
    ...sealed,
    provePhone: phone.prove,
    provePasskey: passkeys.prove,
  })
  const profile = composeProfile({
    ...common,
    flags,
    hasPasskeys: passkeys.isAvailable,
    providers: () => loginProvidersOf(config, flags),
    gate: authentication.gate,
    deletionGraceMs: mail.isAvailable ? config.deletionGraceMs : 0,
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
      { name: 'sign-in-challenges', run: () => inBatches((limit) => deleteExpiredChallenges(db, now(), limit)) },
      { name: 'mail-links', run: () => inBatches((limit) => deleteExpiredLinks(db, now(), limit)) },
    ],
  }
}

/** The name of the installation in authenticator apps. */
function issuerOf({ http: { publicUrl } }: Pick<Config, 'http'>): string {
  return publicUrl === undefined ? 'Millrace' : `Millrace (${new URL(publicUrl).host})`
}
