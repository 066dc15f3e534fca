import { gates } from '@millrace/contract'
import { flagNames } from '#config/flags.ts'
import { pspone, psptwo } from './payment-providers.ts'
import { lawDns, lawProvider } from './sign-in-parts.ts'
import { generatedBy, startLocalRuntime, startModelStandIn } from '#testing/model-stand-in.ts'

const definition =
  "document: { dsl: '1.0.3', namespace: laws, name: generated, version: '1.0.0' }\ndo:\n  - note: { set: { noted: true } }\n"
// They stop with the process of the test file.
const { url: modelUrl, mock } = await startModelStandIn(() => generatedBy(definition))
mock.onTranscription({ transcription: { text: 'Silence.' } })
const { url: runtimeUrl } = await startLocalRuntime()

/** The configuration of the server that the laws test: every flag is on, and every part is configured. */
export const lawEnvironment: Readonly<Record<string, string>> = {
  MILLRACE_FLAGS: flagNames.join(','),
  MILLRACE_GATES: gates.join(','),
  MILLRACE_BILLING_ISSUER_COUNTRY: 'DE',
  MILLRACE_BILLING_ISSUER_COMPANY_ID: 'HRB 12345',
  ...pspone.environment,
  ...psptwo.environment,
  MILLRACE_LOGIN_ONE_ISSUER: lawProvider.issuer,
  MILLRACE_LOGIN_ONE_CLIENT_ID: 'millrace',
  MILLRACE_LOGIN_TWO_ISSUER: lawProvider.issuer,
  MILLRACE_LOGIN_TWO_CLIENT_ID: 'millrace',
  MILLRACE_DNS_SERVERS: lawDns.address,
  MILLRACE_MODEL_URL: modelUrl,
  MILLRACE_MODEL_NAME: 'law',
  MILLRACE_MODEL_SPEECH: 'law',
  MILLRACE_LOCALMODEL_URL: runtimeUrl,
}
