import { startDnsStandIn } from '#testing/sign-in/dns-stand-in.ts'
import { startMockProvider } from '#testing/sign-in/mock-provider.ts'

/** The provider and the DNS server of the server that the laws test. They run until the test process ends. */
export const lawProvider = await startMockProvider()
export const lawDns = await startDnsStandIn()
