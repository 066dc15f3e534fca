import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { modelKinds, modelRoles, modelTexts } from '#src/model-roles.ts'
import { operation } from '#src/operation.ts'
import { Currency } from './billing-schemas.ts'
import { connectionStates } from './connection-schemas.ts'

const Name = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,62}$/, { error: 'Must be a name of lower-case letters, digits, dots, _ and -.' })
  .meta({ description: 'Name of the model in the account; usage and health show it as `account:<name>`.', examples: ['main'] })
const Kind = z.enum(modelKinds).describe("Protocol: OpenAI's, which most services and runtimes speak, Anthropic's, or that of Ollama.")
const Url = z
  .url({ protocol: /^https?$/, error: 'Must be an address with http or https.' })
  .max(500)
  .meta({ description: 'Base URL of the API. Internal hosts are refused.', examples: ['https://api.example.com/v1'] })
const ModelId = z.string().trim().min(1).max(200).describe('Id of the model at the endpoint.')
const Key = z
  .string()
  .min(8)
  .max(4_000)
  // It is sent as a header.
  .regex(/^[\x21-\x7e]+$/, { error: 'Must consist of visible characters of ASCII, without spaces.' })
  .describe('Credential of the endpoint. It is sealed, and no operation returns it.')
const Roles = z.array(z.enum(modelRoles)).min(1).max(modelRoles.length).describe('What the model is used for.')
const Price = z.number().min(0).max(1_000_000)
const Prices = z
  .strictObject({ input: Price, output: Price })
  .nullable()
  .describe('What a million tokens cost; null: the calls cost nothing, or their cost is not counted.')
const Region = z
  .string()
  .regex(/^[A-Z]{2}$/, { error: 'Must be a country code of ISO 3166, or EU.' })
  .nullable()
  .describe(
    'Where the endpoint processes data, for the decision whether data may leave. A region that the operator gives its host is used first.',
  )
const MaxOutputTokens = z.int().min(16).max(1_000_000).describe('Most tokens of one response.')
const Structured = z.boolean().describe('False for an endpoint that refuses a JSON Schema for its output.')

const AccountModel = z
  .object({
    id: typeId('mdl'),
    name: Name,
    kind: Kind,
    url: z.string(),
    model: z.string(),
    hasKey: z.boolean().describe('Whether a key is stored.'),
    roles: z.array(z.enum(modelRoles)),
    prices: Prices,
    region: z.string().nullable(),
    maxOutputTokens: z.int(),
    structured: z.boolean(),
    state: z
      .enum(connectionStates)
      .describe('Result of the last test: `failed` if the model did not answer, `unauthorized` if the endpoint refused the key.'),
    problem: z
      .string()
      .nullable()
      .describe('What the last test found; also of a model that answers although the list of its endpoint does not have it.'),
    testedAt: z.iso.datetime(),
    revision: z.int(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'AccountModel', description: 'A model that the account connected with its own key.' })

const InstallationModels = z
  .enum(['fallback', 'missing', 'never'])
  .describe(
    'When the models of the installation are used. `missing`: for roles in which the account has no model. `fallback`: also after the models of the account, when they fail. `never`: the data of the account is sent to its own models only.',
  )
const Texts = z
  .enum(modelTexts)
  .describe(
    'What is kept of prompts and answers beside the digests of both. `hashed`: nothing. `kept`: the texts, for administrators, until the record of the call expires.',
  )
const PriceCurrency = Currency.nullable().describe(
  'Currency of the prices of all models that the account uses (ISO 4217), shown with costs; null: costs are shown without one.',
)
const ModelSettings = z
  .object({ installationModels: InstallationModels, texts: Texts, currency: PriceCurrency })
  .meta({ id: 'AccountModelSettings' })

const base = { stability: 'beta', rateLimit: 'default', errors: [] } as const
const reads = { ...base, method: 'GET', auth: { scope: 'models:read' }, audit: 'none', idempotency: 'natural' } as const
const writes = { ...base, auth: { scope: 'models:write' }, role: 'admin' } as const
const path = '/api/v1/models'
const byId = z.object({ id: typeId('mdl') })

const list = operation({
  ...reads,
  id: 'models.list',
  path,
  summary: 'List the models of the account',
  description:
    'In the order in which they are tried, without their keys. Models of the installation are not listed: see `aiAssist.health`.',
  reply: z.object({ data: z.array(AccountModel) }),
})

const create = operation({
  ...writes,
  id: 'models.create',
  method: 'POST',
  path,
  summary: 'Add a model with a key of the account',
  description:
    'The endpoint is tested by a list of its models, which costs no tokens, or by a request for a few tokens where the list does not exist or does not have the model. The model is added also when the test fails, and says so in `state` and `problem`. An address that workflows may not reach is refused.',
  audit: 'model.created',
  idempotency: 'keyed',
  replyHeaders: ['ETag', 'Location'],
  body: z.strictObject({
    name: Name,
    kind: Kind.default('openai'),
    url: Url,
    model: ModelId,
    key: Key.optional(),
    roles: Roles.default(['fast', 'strong', 'vision']),
    prices: Prices.default(null),
    region: Region.default(null),
    maxOutputTokens: MaxOutputTokens.default(8_192),
    structured: Structured.default(true),
  }),
  reply: AccountModel,
  errors: ['conflict'],
})

const get = operation({
  ...reads,
  id: 'models.get',
  path: `${path}/{id}`,
  summary: 'Read a model of the account',
  replyHeaders: ['ETag'],
  params: byId,
  reply: AccountModel,
})

const update = operation({
  ...writes,
  id: 'models.update',
  method: 'PUT',
  path: `${path}/{id}`,
  summary: 'Change a model of the account',
  description:
    'Members that are left out stay. Another `kind` or `url` needs the `key` again, so that a kept key cannot be sent to another place; `null` removes it.',
  audit: 'model.updated',
  idempotency: 'natural',
  requestHeaders: ['If-Match'],
  replyHeaders: ['ETag'],
  params: byId,
  body: z.strictObject({
    name: Name.optional(),
    kind: Kind.optional(),
    url: Url.optional(),
    model: ModelId.optional(),
    key: Key.nullable().optional(),
    roles: Roles.optional(),
    prices: Prices.optional(),
    region: Region.optional(),
    maxOutputTokens: MaxOutputTokens.optional(),
    structured: Structured.optional(),
  }),
  reply: AccountModel,
  errors: ['conflict'],
})

const remove = operation({
  ...writes,
  id: 'models.delete',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete a model of the account',
  description: 'Requests that begin afterwards do not use it.',
  audit: 'model.deleted',
  idempotency: 'natural',
  requestHeaders: ['If-Match'],
  params: byId,
  reply: z.object({ id: typeId('mdl'), deleted: z.literal(true) }),
})

const test = operation({
  ...writes,
  id: 'models.test',
  method: 'POST',
  path: `${path}/{id}/test`,
  summary: 'Test a model of the account',
  description:
    'Lists the models of the endpoint with the stored key, which costs no tokens. Where the list does not exist or does not have the model, a request for a few tokens shows whether it answers; `problem` names what is wrong, with near names of the list. A model that is changed meanwhile keeps what its last test found.',
  audit: 'model.tested',
  idempotency: 'keyed',
  params: byId,
  reply: AccountModel,
  errors: ['conflict', 'revision_mismatch'],
})

const settings = operation({
  ...reads,
  id: 'models.settings',
  path: '/api/v1/model-settings',
  summary: 'Read when the models of the installation are used, what is kept of texts, and the currency of prices',
  reply: ModelSettings,
})

const updateSettings = operation({
  ...writes,
  id: 'models.updateSettings',
  method: 'PUT',
  path: '/api/v1/model-settings',
  summary: 'Set when the models of the installation are used, what is kept of texts, and the currency of prices',
  description:
    'Without `texts`, the choice stays; `null` returns to that of the operator (`MILLRACE_MODEL_TEXTS`). Without `currency` it stays; `null` removes it.',
  audit: 'model.settings_updated',
  idempotency: 'natural',
  body: z.strictObject({
    installationModels: InstallationModels,
    texts: Texts.nullable().optional(),
    currency: PriceCurrency.optional(),
  }),
  reply: ModelSettings,
})

/** Models that an account connects with its own keys. */
export const accountModels = { list, create, get, update, delete: remove, test, settings, updateSettings } as const
