import { accountModels, generation, localModel, modelCalls, modelLimits, speech } from '@millrace/contract'
import { call, textAt } from '#laws/calls.ts'
import { silence } from '#testing/model-stand-in.ts'
import type { LawArea } from './area.ts'

// Nothing listens there: tests of the model fail at once. No other operation uses the role.
const model = { url: 'http://127.0.0.1:9/v1', model: 'law', key: 'a-key-of-the-laws', roles: ['embedding'] }

const firstId = (page: unknown): string => textAt(Object(page).data?.[0], 'id')

export const modelsArea: LawArea = {
  async createResources(url, { token }) {
    const mdl = textAt((await call(url, accountModels.create, { token, body: { ...model, name: 'law' } })).body, 'id')
    await call(url, generation.assist, { token, body: { action: 'explain', definition: 'do: []' } })
    return { mdl, mcall: firstId((await call(url, modelCalls.list, { token })).body) }
  },
  async exercise({ perform, token }) {
    await perform(localModel.ping, { token })
    await perform(localModel.status, { token })
    await perform(generation.generate, { token, body: { description: 'Note something.' } })
    await perform(generation.assistGenerate, { token, body: { description: 'Note something.' } })
    await perform(generation.assist, { token, body: { action: 'explain', definition: 'do: []' } })
    await perform(speech.transcribe, { token, body: { audio: silence(0.1).toString('base64') } })
    await perform(generation.health, { token })
    const params = { id: textAt(await perform(accountModels.create, { token, body: { ...model, name: 'own' } }), 'id') }
    await perform(accountModels.list, { token })
    await perform(accountModels.get, { token, params })
    await perform(accountModels.update, { token, params, body: { model: 'other' } })
    await perform(accountModels.test, { token, params })
    await perform(accountModels.delete, { token, params })
    await perform(modelCalls.get, { token, params: { id: firstId(await perform(modelCalls.list, { token })) } })
    await perform(modelCalls.usage, { token })
    await perform(modelLimits.get, { token })
    await perform(modelLimits.update, { token, body: { month: { cost: 1000, tokens: null } } })
    await perform(accountModels.settings, { token })
    await perform(accountModels.updateSettings, { token, body: { installationModels: 'missing' } })
  },
}
