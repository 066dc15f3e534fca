import type { groups, Reply, Sent } from '@millrace/contract'
import type { Values } from '#src/forms/use-form.ts'

type Operations = (typeof groups)['models']
export type AccountModel = Reply<Operations['get']>
export type ModelSettings = Reply<Operations['settings']>
type NewModel = Sent<Operations['create']>['body']
type Role = AccountModel['roles'][number]

export const modelKinds = ['openai', 'anthropic', 'ollama'] as const satisfies readonly AccountModel['kind'][]
export const modelRoles = ['strong', 'fast', 'vision', 'speech', 'embedding'] as const satisfies readonly Role[]
export const installationChoices = ['missing', 'fallback', 'never'] as const satisfies readonly ModelSettings['installationModels'][]
export const textChoices = ['hashed', 'kept'] as const satisfies readonly ModelSettings['texts'][]

const blank = {
  name: '',
  kind: 'openai',
  url: '',
  model: '',
  key: '',
  roles: ['strong', 'fast', 'vision'],
  inputPrice: '',
  outputPrice: '',
  region: '',
} as const

/** The values of a form for a model; its key is empty, since no operation returns it. */
export function valuesOf(model: AccountModel | undefined): Values {
  if (model === undefined) return blank
  const { name, kind, url, model: id, roles, prices, region } = model
  const [inputPrice, outputPrice] = prices === null ? ['', ''] : [String(prices.input), String(prices.output)]
  return { ...blank, name, kind, url, model: id, roles, inputPrice, outputPrice, region: region ?? '' }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value.trim() : '')

/** What a form describes; an empty key is left out. */
export function modelOf(values: Values): NewModel {
  const [input, output] = [textOf(values['inputPrice']), textOf(values['outputPrice'])]
  const key = textOf(values['key'])
  const chosen = new Set<unknown>(Array.isArray(values['roles']) ? values['roles'] : [])
  return {
    name: textOf(values['name']),
    kind: modelKinds.find((kind) => kind === values['kind']) ?? 'openai',
    url: textOf(values['url']),
    model: textOf(values['model']),
    roles: modelRoles.filter((role) => chosen.has(role)),
    prices: input === '' && output === '' ? null : { input: Number(input), output: Number(output) },
    region: textOf(values['region']).toUpperCase() || null,
    ...(key === '' ? {} : { key }),
  }
}
