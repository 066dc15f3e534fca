import { parse } from 'yaml'
import { isObject, type Json, type JsonObject } from '#core/json.ts'
import type { FunctionManifest } from '#compile/manifest.ts'
import { exampleText as documentText } from '#effects/openapi/testing-documents.ts'
import { exampleText } from './features.ts'
import { msIn, objectIn, type Sentence, valueIn } from './sentence.ts'
import type { Demand } from './service.ts'

const METHOD = '(GET|POST|PUT|PATCH|DELETE|HEAD)'

/** Preconditions of the execution. */
export const givenSentences: readonly Sentence[] = [
  [/^a workflow with definition:$/, ({ setup }, { text }) => void (setup.definition = text)],
  [/^the official example (\S+\.yaml)$/, ({ setup }, { words: [name = ''] }) => void (setup.definition = exampleText(name))],
  [/^the workflow input is:$/, ({ setup }, { value }) => void (setup.input = value)],
  [/^the workflow input is (.*[^:])$/, ({ setup }, { words }) => void (setup.input = valueIn(words[0]))],
  [/^a workflow that it may run:$/, ({ setup }, { text }) => void setup.others.push(text)],
  [/^the secret (\S+) is (.+)$/, ({ setup }, { words: [name = '', value] }) => void (setup.secrets[name] = valueIn(value))],
  [/^at (\S+) there is:$/, ({ setup }, { words: [uri = ''], value }) => void (setup.resources[uri] = value)],
  [/^at (\S+) there is the text:$/, ({ setup }, { words: [uri = ''], text }) => void (setup.resources[uri] = text)],
  [/^the installation has the function:$/, ({ setup }, { text }) => void setup.functions.push(manifestOf(text))],
  [/^the event has come before:$/, ({ setup }, { value }) => void setup.events.push(eventOf(value))],
  [
    new RegExp(`^the service answers ${METHOD} (\\S+)$`),
    ({ service }, { words: [method = '', url = ''] }) => service.answers(method, url, { body: {} }),
  ],
  [
    new RegExp(`^the service answers ${METHOD} (\\S+) with (?!status |the document )(.*[^:])$`),
    ({ service }, { words: [method = '', url = '', body] }) => service.answers(method, url, { body: valueIn(body) }),
  ],
  [
    new RegExp(`^the service answers ${METHOD} (\\S+) with status (\\d+)$`),
    ({ service }, { words: [method = '', url = '', status] }) => service.answers(method, url, { status: Number(status) }),
  ],
  [
    new RegExp(`^the service answers ${METHOD} (\\S+) with:$`),
    ({ service }, { words: [method = '', url = ''], value }) => service.answers(method, url, objectIn(value)),
  ],
  [
    new RegExp(`^after (\\S+) the service answers ${METHOD} (\\S+) with (.+)$`),
    ({ service }, { words: [after, method = '', url = '', body] }) =>
      service.answers(method, url, { body: valueIn(body), afterMs: msIn(after) }),
  ],
  [
    new RegExp(`^the service never answers ${METHOD} (\\S+)$`),
    ({ service }, { words: [method = '', url = ''] }) => service.answers(method, url, { never: true }),
  ],
  [
    new RegExp(`^the service answers ${METHOD} (\\S+) with the document (\\S+)$`),
    ({ service }, { words: [method = '', url = '', name = ''] }) => service.answers(method, url, { body: documentText(name) }),
  ],
  [/^no server is at (\S+)$/, ({ service }, { words: [host = ''] }) => service.isGone(host)],
  [
    /^(\S+) demands the bearer token "(.+)"$/,
    ({ service }, { words: [url = '', token = ''] }) => service.demands(url, { scheme: 'bearer', token }),
  ],
  [
    /^(\S+) demands (basic|digest) authentication of "(.+)" with the password "(.+)"$/,
    ({ service }, { words: [url = '', scheme, username = '', password = ''] }) =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The sentence allows nothing else.
      service.demands(url, { scheme, username, password } as Demand),
  ],
  [
    /^an OAuth 2\.0 server at %authority%, and an API at %api% that wants its tokens$/,
    async ({ stage, places }) => {
      const { authority, api } = await stage.provider()
      places.set('authority', authority).set('api', api)
    },
  ],
  [
    /^the reference server of MCP at http:\/\/(\S+)\/mcp$/,
    async ({ stage, service }, { words: [host = ''] }) => service.leadsTo(host, new URL((await stage.everything()).endpoint).origin),
  ],
]

/** A function of the default catalog, with what the scenario does not say filled in. */
function manifestOf(text: string): FunctionManifest {
  const given: unknown = parse(text)
  return {
    version: '1.0.0',
    summary: 'As the scenario wants it.',
    performs: 'effect',
    input: {},
    output: {},
    ...Object(given),
  }
}

let ids = 0

/** A whole CloudEvent: what the scenario does not say is filled in. */
export function eventOf(value: Json): JsonObject {
  const given = isObject(value) ? value : {}
  return { specversion: '1.0', id: `event-${++ids}`, source: 'https://scenario.test', time: '2030-01-01T00:00:00Z', ...given }
}
