import { Fault, type ModelRole, noModelText } from '@millrace/contract'
import type { AccountEndpoints } from './account/account-endpoints.ts'
import type { ModelEndpoint } from './model.ts'

/** A text role without a model uses those of the other one. */
const substitutes: Partial<Readonly<Record<ModelRole, ModelRole>>> = { fast: 'strong', strong: 'fast' }

/** The models of a role in the order in which they are tried: those of the account, then, where it allows it, those of the installation. */
export function endpointsOf(installation: readonly ModelEndpoint[], own: AccountEndpoints, role: ModelRole): readonly ModelEndpoint[] {
  const first = withRole(own.endpoints, role)
  if (own.installation === 'never' || (own.installation === 'missing' && first.length > 0)) return first
  return [...first, ...withRole(installation, role)]
}

/** As `endpointsOf`. Fault `model_not_configured` without any. */
export function requiredEndpoints(
  installation: readonly ModelEndpoint[],
  own: AccountEndpoints,
  role: ModelRole,
): readonly [ModelEndpoint, ...ModelEndpoint[]] {
  const [first, ...others] = endpointsOf(installation, own, role)
  if (first !== undefined) return [first, ...others]
  throw new Fault('model_not_configured', {
    detail: missing(role, own.installation === 'never' && withRole(installation, role).length > 0),
  })
}

function withRole(endpoints: readonly ModelEndpoint[], role: ModelRole): readonly ModelEndpoint[] {
  const substitute = substitutes[role]
  const own = endpoints.filter(({ roles }) => roles.includes(role))
  const others = substitute === undefined ? [] : endpoints.filter(({ roles }) => roles.includes(substitute) && !roles.includes(role))
  return [...own, ...others]
}

function missing(role: ModelRole, isExcluded: boolean): string {
  const add = 'An administrator of the account adds one with POST /api/v1/models'
  if (isExcluded)
    return `The account has ${noModelText(role)}, and its settings exclude those of the installation. ${add}, or changes the settings with PUT /api/v1/model-settings.`
  const variables: Partial<Readonly<Record<ModelRole, string>>> = { speech: 'MILLRACE_MODEL_SPEECH', embedding: 'MILLRACE_MODEL_EMBEDDING' }
  const simple = `MILLRACE_MODEL_URL and ${variables[role] ?? 'MILLRACE_MODEL_NAME'}`
  return `There is ${noModelText(role)}. ${add}, or the operator sets ${simple}, or gives a model in MILLRACE_MODELS_FILE this role.`
}
