import type { Config } from '#config/read-config.ts'
import type { Part } from '#modules/health/index.ts'
import { verifySmtp } from '#platform/mail/smtp-mailer.ts'
import type { WebFetch } from '#platform/net/web-fetch.ts'
import { smtpSettingsOf } from './mail.ts'

/** The providers that the installation is configured with, as parts whose health can be read. Mail is listed also without a server for it. */
export function providerParts({ mail, sms, billing, signIn, vault }: Config, web: WebFetch): readonly Part[] {
  const addresses: Readonly<Record<string, string | undefined>> = {
    sms: sms.provider?.url,
    loginone: discoveryOf(signIn.loginOne?.issuer),
    logintwo: discoveryOf(signIn.loginTwo?.issuer),
    pspone: billing.pspone?.url,
    psptwo: billing.psptwo?.url,
    vault: vault?.url,
  }
  return [
    {
      name: 'mail',
      configured: mail !== undefined,
      async probe() {
        if (mail !== undefined) await verifySmtp(smtpSettingsOf(mail))
      },
    },
    ...Object.entries(addresses).flatMap(([name, url]) =>
      url === undefined ? [] : [{ name, configured: true, probe: answers(url, web) }],
    ),
  ]
}

/** Where a provider of sign-in describes itself. */
function discoveryOf(issuer: string | undefined): string | undefined {
  return issuer === undefined ? undefined : `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
}

/** Asks an address without a credential. Any response but one that says that the server does not work shows that it is there. */
function answers(url: string, web: WebFetch): Part['probe'] {
  return async (signal) => {
    const response = await web.fetch(url, { signal }).catch((cause: unknown) => {
      throw new Error('It cannot be reached.', { cause })
    })
    await response.body?.cancel()
    if (response.status >= 500) throw new Error(`It answers with status ${response.status}.`)
  }
}
