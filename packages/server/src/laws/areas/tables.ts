import { tables } from '@millrace/contract'
import { call } from '#laws/calls.ts'
import type { LawArea } from './area.ts'

const columns = { total: 7 }

export const tablesArea: LawArea = {
  async createResources(url, { token }) {
    await call(url, tables.create, { token, body: { name: 'laws' } })
    await call(url, tables.putRow, { token, params: { table: 'laws', key: 'first' }, body: { columns } })
    return {}
  },
  async exercise({ perform, token }) {
    const params = { table: 'exercised' }
    const row = { ...params, key: 'A-1' }
    await perform(tables.create, { token, body: { name: params.table } })
    await perform(tables.putRow, { token, params: row, body: { columns, expiresIn: 'P1D' } })
    await perform(tables.importRows, { token, params, body: { rows: [{ key: 'A-2', columns }] } })
    await perform(tables.list, { token })
    await perform(tables.rows, { token, params, query: { prefix: 'A-', text: '7' } })
    await perform(tables.row, { token, params: row })
    await perform(tables.deleteRow, { token, params: row })
    await perform(tables.delete, { token, params })
  },
}
