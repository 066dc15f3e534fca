import { accountDomains, externalAuth, signInProviders } from '@millrace/contract'
import type { Config } from '#config/read-config.ts'
import type { LoginProviderSettings } from '#config/read-sign-in.ts'
import { composeExternal, type SeatOf } from '#modules/identity/index.ts'
import { createSecretBox } from '#platform/auth/secret-box.ts'
import { served } from '#platform/http/index.ts'
import type { Feature, FeatureParts } from './feature.ts'
import type { Flags } from './flags.ts'
import { originOf } from './origin.ts'
import { reclaimOf } from './reclaim.ts'
import { sessionCookieOf } from './session-cookie.ts'

/** Sign-in with external providers. */
export function composeExternalSignIn(parts: FeatureParts, seatOf: SeatOf): Feature {
  const { config, database, http, authentication, secretKey, system } = parts
  const { newId, randomBytes } = system
  const { loginOne, loginTwo, dnsServers } = config.signIn
  const external = composeExternal({
    db: database.system,
    http,
    sessions: authentication.identity.sessions,
    completeSignIn: authentication.identity.completeSignIn,
    gate: authentication.gate,
    mail: parts.mail,
    reclaim: reclaimOf(parts),
    seatOf,
    sessionCookie: sessionCookieOf(parts),
    installation: {
      ...(loginOne === undefined ? {} : { loginone: revealed(loginOne) }),
      ...(loginTwo === undefined ? {} : { logintwo: revealed(loginTwo) }),
    },
    origin: originOf(config.http),
    returnOrigins: config.http.corsOrigins.filter((origin) => origin !== '*'),
    dnsServers,
    boxes: {
      signIns: createSecretBox(secretKey, 'external-sign-ins', randomBytes),
      providers: createSecretBox(secretKey, 'sign-in-providers', randomBytes),
    },
    now: () => new Date(system.now()),
    newId,
    randomBytes,
  })
  const feature: Feature = {
    groups: {
      externalAuth: served(externalAuth, external.externalAuth),
      signInProviders: served(signInProviders, external.signInProviders),
      accountDomains: served(accountDomains, external.accountDomains),
    },
    maintenance: [{ name: 'external-sign-ins', run: () => external.sweep() }],
  }
  return feature
}

/** The providers of the installation whose operations exist, for the list of ways to sign in. */
export function loginProvidersOf({ signIn: { loginOne, loginTwo } }: Pick<Config, 'signIn'>, flags: Pick<Flags, 'has'>) {
  return [
    ...(loginOne !== undefined && flags.has('isLoginOneEnabled')
      ? [{ id: 'loginone', name: loginOne.name, url: '/api/v1/auth/loginone' }]
      : []),
    ...(loginTwo !== undefined && flags.has('isLoginTwoEnabled')
      ? [{ id: 'logintwo', name: loginTwo.name, url: '/api/v1/auth/logintwo' }]
      : []),
  ]
}

function revealed({ clientSecret, ...settings }: LoginProviderSettings) {
  return { ...settings, clientSecret: clientSecret?.reveal() }
}
