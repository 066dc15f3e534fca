import { type ModelKind, modelKinds, type ModelRole, modelRoles, type ModelTexts, modelTexts, unservedRole } from '@millrace/contract'
import * as z from 'zod'
import { integer, oneOf } from './parse.ts'
import { Mistake, type Reader } from './reader.ts'
import { Secret } from './secret.ts'

/** One model at one endpoint. */
export interface ModelSettings {
  readonly name: string
  /** The protocol: OpenAI's, which most runtimes speak, Anthropic's, or the OpenAI form of an Ollama runtime. */
  readonly kind: ModelKind
  /** Base URL of the API without a trailing slash, such as `https://api.example.com/v1`. */
  readonly url: string
  /** Id of the model at the endpoint. */
  readonly model: string
  readonly key: Secret | undefined
  /** What the model is used for; the first model of a role is preferred, the next ones are its fall-back. */
  readonly roles: readonly ModelRole[]
  readonly timeoutMs: number
  /** Further attempts after the first one. */
  readonly retries: number
  readonly maxOutputTokens: number
  /** Whether the endpoint takes a JSON Schema for its output. */
  readonly structured: boolean
  /** Undefined for a model that costs nothing, or whose costs are not counted. */
  readonly prices: ModelPrices | undefined
}

/** Of a million tokens, in the currency of the operator. */
export interface ModelPrices {
  readonly input: number
  readonly output: number
}

export interface ModelsSettings {
  readonly models: readonly ModelSettings[]
  /** Root of the API of a local model runtime (Ollama); undefined without one. */
  readonly localUrl: string | undefined
  /** Tokens that an account may use in a day (UTC); undefined for no limit. */
  readonly tokensPerDay: number | undefined
  /** What the models of an account may cost in a day (UTC), in the currency of the prices; undefined for no limit. */
  readonly costPerDay: number | undefined
  /** What is kept of prompts and answers, unless an account chooses. */
  readonly texts: ModelTexts
}

const textRoles: readonly ModelRole[] = ['fast', 'strong', 'vision']
const defaults = { timeoutSeconds: 120, retries: 2, maxOutputTokens: 8192, structured: true }
const Price = z.number().min(0).max(1_000_000)

const FileModel = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/i, { error: 'must be a name of letters, digits, dots and hyphens' }),
  kind: z.enum(modelKinds).default('openai'),
  url: z.url({ protocol: /^https?$/, error: 'must be a URL with http or https' }),
  model: z.string().min(1).max(200),
  key: z.string().min(1).optional(),
  roles: z
    .array(z.enum(modelRoles))
    .min(1)
    .default([...textRoles]),
  timeoutSeconds: z.int().min(1).max(900).default(defaults.timeoutSeconds),
  retries: z.int().min(0).max(10).default(defaults.retries),
  maxOutputTokens: z.int().min(16).max(1_000_000).default(defaults.maxOutputTokens),
  structured: z.boolean().default(defaults.structured),
  prices: z.strictObject({ input: Price, output: Price }).optional(),
})

const File = z.strictObject({ models: z.array(FileModel.superRefine(assertServedRoles)).min(1).max(50) })

function assertServedRoles({ kind, roles }: { readonly kind: ModelKind; readonly roles: readonly ModelRole[] }, context: z.RefinementCtx) {
  const role = roles[unservedRole(kind, roles)]
  if (role !== undefined) context.addIssue({ code: 'custom', path: ['roles'], message: `the API of Anthropic serves no role "${role}"` })
}

/** Reads the models: those of the file first, then the one of the simple form. */
export function readModels(reader: Reader): ModelsSettings {
  const ofFile = reader.file('MILLRACE_MODELS_FILE', parseFile) ?? []
  const url = reader.optional('MILLRACE_MODEL_URL', httpUrl)
  const key = reader.secret('MILLRACE_MODEL_KEY', 'MILLRACE_MODEL_KEY_FILE', (text) => new Secret(text))
  const name = reader.optional('MILLRACE_MODEL_NAME', String)
  const speech = reader.optional('MILLRACE_MODEL_SPEECH', String)
  const embedding = reader.optional('MILLRACE_MODEL_EMBEDDING', String)
  const kind = reader.optional('MILLRACE_MODEL_KIND', oneOf(modelKinds))
  const localUrl = reader.optional('MILLRACE_LOCALMODEL_URL', httpUrl)
  const tokensPerDay = reader.optional('MILLRACE_MODEL_TOKENS_PER_DAY', integer(1, 1_000_000_000_000))
  if (url !== undefined && name === undefined && speech === undefined && embedding === undefined)
    reader.fault('MILLRACE_MODEL_NAME', 'is not set, but MILLRACE_MODEL_URL is. Write the id of the model at that endpoint.')
  for (const variable of ['MILLRACE_MODEL_NAME', 'MILLRACE_MODEL_SPEECH', 'MILLRACE_MODEL_EMBEDDING', 'MILLRACE_MODEL_KIND'] as const)
    if (url === undefined && reader.has(variable) && !reader.has('MILLRACE_MODEL_URL'))
      reader.fault(variable, 'is set, but MILLRACE_MODEL_URL is not. Write the address of the model endpoint.')
  if (url !== undefined && (kind ?? kindOf(url)) === 'anthropic')
    for (const variable of ['MILLRACE_MODEL_SPEECH', 'MILLRACE_MODEL_EMBEDDING'] as const)
      if (reader.has(variable))
        reader.fault(
          variable,
          'is set, but the API of Anthropic serves no such model. Write a model with the protocol of OpenAI in MILLRACE_MODELS_FILE.',
        )
  const prices = reader.optional('MILLRACE_MODEL_PRICES', pricesOf)
  const costPerDay = reader.optional('MILLRACE_MODEL_COST_PER_DAY', amount)
  const { timeoutSeconds, ...rest } = defaults
  const simple = (model: string | undefined, of: string, roles: readonly ModelRole[]): readonly ModelSettings[] =>
    url === undefined || model === undefined
      ? []
      : [
          {
            name: of,
            kind: kind ?? kindOf(url),
            url: withoutSlash(url),
            model,
            key,
            roles,
            timeoutMs: timeoutSeconds * 1000,
            prices,
            ...rest,
          },
        ]
  const models = [
    ...ofFile,
    ...simple(name, 'default', textRoles),
    ...simple(speech, 'default-speech', ['speech']),
    ...simple(embedding, 'default-embedding', ['embedding']),
  ]
  if (costPerDay !== undefined && models.length > 0 && !models.some((model) => model.prices !== undefined))
    reader.fault(
      'MILLRACE_MODEL_COST_PER_DAY',
      'is set, but no model has prices. Set MILLRACE_MODEL_PRICES, or write prices in MILLRACE_MODELS_FILE.',
    )
  const texts = reader.optional('MILLRACE_MODEL_TEXTS', oneOf(modelTexts)) ?? 'hashed'
  const ollama = models.find((model) => model.kind === 'ollama')
  return { models, localUrl: withoutSlash(localUrl ?? rootOf(ollama?.url) ?? '') || undefined, tokensPerDay, costPerDay, texts }
}

function parseFile(text: string): readonly ModelSettings[] {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new Mistake('names a file that is not JSON. Write { "models": [ … ] }; docs/ai.md has an example.')
  }
  const result = File.safeParse(json)
  if (!result.success) {
    const [issue] = result.error.issues
    throw new Mistake(
      `names a file whose ${issue?.path.join('.') ?? 'content'} is invalid: ${issue?.message ?? 'unknown'}. See docs/ai.md.`,
    )
  }
  const names = result.data.models.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Mistake(`names a file with two models of the name "${twice}". Give each its own name.`)
  return result.data.models.map(({ key, url, timeoutSeconds, prices, ...model }) => ({
    ...model,
    prices,
    url: withoutSlash(url),
    key: key === undefined ? undefined : new Secret(key),
    timeoutMs: timeoutSeconds * 1000,
  }))
}

function httpUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Mistake('is not a URL with http or https. Write for example http://127.0.0.1:11434/v1.')
  if (url.username !== '' || url.search !== '' || url.hash !== '')
    throw new Mistake('has a user, a query or a fragment. Write the address alone, and the key in MILLRACE_MODEL_KEY.')
  return text
}

function pricesOf(text: string): ModelPrices {
  const [input = Number.NaN, output = Number.NaN, ...more] = text.split('/').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  if (more.length > 0 || !Price.safeParse(input).success || !Price.safeParse(output).success)
    throw new Mistake('is not two prices of a million tokens. Write those of input and output, for example 3/15.')
  return { input, output }
}

function amount(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0 || value > 1_000_000_000)
    throw new Mistake('is not an amount of money. Write a number above 0, for example 2.50.')
  return value
}

const kindOf = (url: string) => (new URL(url).hostname === 'api.anthropic.com' ? 'anthropic' : 'openai')
const rootOf = (url: string | undefined) => url?.replace(/\/v1\/?$/, '')
const withoutSlash = (url: string) => url.replace(/\/+$/, '')
