import type { accountModels, Received } from '@millrace/contract'
import { actorOf } from '#platform/auth/principal.ts'
import { etag, type HandlersFor, respond, withPreparation } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import type { AccountModel, AccountModelValues } from './account-model.ts'
import type { AccountModelChange, AccountModels } from './account-model-service.ts'
import { accountModelView } from './views.ts'

/** Handlers of the group `accountModels`. Audit rows name models and never have keys. */
export function accountModelHandlers(service: AccountModels): HandlersFor<typeof accountModels> {
  return {
    async list(ctx) {
      return { data: (await service.list(ctx.tx, ctx.accountId)).map(accountModelView) }
    },
    create: withPreparation(
      (_ctx, { body }) => service.prepareCreate(valuesOf(body), body.key),
      async (ctx, { body }, tested) => {
        const wanted = { values: valuesOf(body), key: body.key }
        const model = await service.create(ctx.tx, ctx.accountId, wanted, tested, actorOf(ctx.principal))
        const id = toTypeId('mdl', model.id)
        ctx.audit({ target: id, details: detailsOf(model) })
        return respond(accountModelView(model), { headers: { etag: etag(model.revision), location: `/api/v1/models/${id}` } })
      },
    ),
    async get(ctx, { params }) {
      return withEtag(await service.get(ctx.tx, ctx.accountId, idOf('mdl', params.id)))
    },
    update: withPreparation(
      (ctx, { params, body }) => service.prepareUpdate(ctx.accountId, idOf('mdl', params.id), changeOf(body)),
      async (ctx, { params, body }, prepared) => {
        const by = { actor: actorOf(ctx.principal), ifMatch: ctx.ifMatch }
        const update = { id: idOf('mdl', params.id), change: changeOf(body), prepared, ...by }
        const { before, after } = await service.update(ctx.tx, ctx.accountId, update)
        const details = { ...detailsOf(after), keyChanged: body.key !== undefined }
        ctx.audit({ target: params.id, details, change: { before: stateOf(before), after: stateOf(after) } })
        return withEtag(after)
      },
    ),
    async delete(ctx, { params }) {
      const model = await service.remove(ctx.tx, ctx.accountId, idOf('mdl', params.id), ctx.ifMatch)
      ctx.audit({ target: params.id, details: detailsOf(model) })
      return { id: params.id, deleted: true as const }
    },
    test: withPreparation(
      (ctx, { params }) => service.prepareTest(ctx.accountId, idOf('mdl', params.id)),
      async (ctx, { params }, prepared) => {
        const model = await service.recordTest(ctx.tx, ctx.accountId, idOf('mdl', params.id), prepared)
        ctx.audit({ target: params.id, details: detailsOf(model) })
        return accountModelView(model)
      },
    ),
    settings: (ctx) => service.settings(ctx.tx, ctx.accountId),
    async updateSettings(ctx, { body: { installationModels, texts, currency } }) {
      const before = await service.settings(ctx.tx, ctx.accountId)
      const after = await service.setSettings(ctx.tx, ctx.accountId, { installationModels, texts, currency }, actorOf(ctx.principal))
      ctx.audit({ change: { before: { ...before }, after: { ...after } } })
      return after
    },
  }
}

function withEtag(model: AccountModel) {
  return respond(accountModelView(model), { headers: { etag: etag(model.revision) } })
}

function detailsOf({ name, kind, url, model, roles, state, revision }: AccountModel) {
  return { name, kind, host: new URL(url).host, model, roles: roles.join(' '), state, revision }
}

/** What the audit log commits to: never the key. */
function stateOf({ name, kind, url, model, roles, prices, region, maxOutputTokens, structured, hasKey }: AccountModel) {
  const set = { name, kind, url, model, maxOutputTokens, structured, hasKey }
  return { ...set, roles: [...roles], prices: prices === undefined ? null : { ...prices }, region: region ?? null }
}

function valuesOf(body: Received<typeof accountModels.create>['body']): AccountModelValues {
  const { key: _key, prices, region, ...rest } = body
  return { ...rest, prices: prices ?? undefined, region: region ?? undefined }
}

function changeOf(body: Received<typeof accountModels.update>['body']): AccountModelChange {
  const { name, kind, url, model, key, roles, prices, region, maxOutputTokens, structured } = body
  const given = new Set<'prices' | 'region'>()
  if (prices !== undefined) given.add('prices')
  if (region !== undefined) given.add('region')
  const optional = { prices: prices ?? undefined, region: region ?? undefined }
  return { name, kind, url, model, key, roles, maxOutputTokens, structured, ...optional, given }
}
