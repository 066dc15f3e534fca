import { changes } from '@millrace/contract'
import type { LawArea } from './area.ts'

export const changesArea: LawArea = {
  async exercise({ perform, token }) {
    await perform(changes.stream, { token, query: { seconds: '1', kinds: 'execution.ended' } })
  },
}
