import { generation, localModel, speech } from '@millrace/contract'
import { silence } from '#testing/model-stand-in.ts'
import type { LawArea } from './area.ts'

export const modelsArea: LawArea = {
  async exercise({ perform, token }) {
    await perform(localModel.ping, { token })
    await perform(localModel.status, { token })
    await perform(generation.generate, { token, body: { description: 'Note something.' } })
    await perform(generation.assistGenerate, { token, body: { description: 'Note something.' } })
    await perform(generation.assist, { token, body: { action: 'explain', definition: 'do: []' } })
    await perform(speech.transcribe, { token, body: { audio: silence(0.1).toString('base64') } })
    await perform(generation.health, { token })
  },
}
