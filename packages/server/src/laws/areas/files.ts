import { files } from '@millrace/contract'
import { call, textAt } from '#laws/calls.ts'
import type { LawArea } from './area.ts'

export const filesArea: LawArea = {
  async createResources(url, { token }) {
    const body = 'a law is kept'
    return { file: textAt((await call(url, files.put, { token, query: { name: 'law.json' }, body })).body, 'id') }
  },
  async exercise({ perform, token }) {
    const query = { name: 'reports/law.json', expiresIn: 'P1D' }
    const params = { id: textAt(await perform(files.put, { token, query, body: 'a report' }), 'id') }
    await perform(files.list, { token, query: { prefix: 'reports/' } })
    await perform(files.get, { token, params })
    await perform(files.content, { token, params })
    const link = textAt(await perform(files.link, { token, params }), 'url')
    await perform(files.linkContent, { params: { token: link.split('/').at(-2) ?? '' } })
    await perform(files.delete, { token, params })
  },
}
