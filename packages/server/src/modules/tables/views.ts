import type { Reply, tables } from '@millrace/contract'
import type { DataRow, DataTable } from './model.ts'

export function tableView({ name, rowCount, bytes, createdAt, updatedAt }: DataTable): Reply<typeof tables.create> {
  return { name, rows: rowCount, size: bytes, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
}

export function rowView({ key, columns, revision, writtenBy, byTest, createdAt, updatedAt, expiresAt }: DataRow): Reply<typeof tables.row> {
  return {
    key,
    columns: { ...columns },
    revision,
    writtenBy,
    byTest,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
  }
}
