import { parse, stringify } from 'yaml'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { FieldProblems } from '#src/forms/use-form.ts'
import { m } from '#src/messages/messages.ts'
import { t } from '#src/pages/tables/texts.ts'
import type { Row } from './columns.ts'

interface RowFormProps {
  readonly table: string
  /** Undefined for a new one. */
  readonly row: Row | undefined
  /** The names of the columns that other rows have. */
  readonly names: readonly string[]
  readonly done: () => Promise<unknown>
}

/** A row with its columns as YAML, which reads like a list of names and values. */
export function RowForm({ table, row, names, done }: RowFormProps) {
  return (
    <DataForm
      initial={{
        key: row?.key ?? '',
        columns: row === undefined ? names.map((name) => `${stringify(name).trim()}: \n`).join('') : stringify(row.columns),
        expiresIn: '',
      }}
      fields={[
        ...(row === undefined ? [{ name: 'key', label: t.key, hint: t.keyHint, required: true, autoFocus: true }] : []),
        { name: 'columns', label: t.columns, kind: 'code', hint: t.columnsHint, rows: 10 },
        ...(row === undefined || row.expiresAt !== null
          ? [{ name: 'expiresIn', label: t.keep, kind: 'select', options: t.spans } as const]
          : []),
      ]}
      send={async ({ key, columns, expiresIn }) => {
        const body = { columns: readColumns(columns, row === undefined), ...(expiresIn === '' ? {} : { expiresIn }) }
        await api.tables.putRow({ params: { table, key }, body }, row === undefined ? {} : { ifMatch: row.revision })
        await done()
      }}
      label={m.common.save}
    />
  )
}

/** @param isNew then columns without a value are names that were proposed and not used. */
function readColumns(text: string, isNew: boolean): Row['columns'] {
  let read: unknown
  try {
    read = parse(text) ?? {}
  } catch {
    throw new FieldProblems({ columns: t.notColumns })
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read)) throw new FieldProblems({ columns: t.notColumns })
  const entries: [string, Row['columns'][string]][] = Object.entries(read)
  return Object.fromEntries(entries.filter(([, value]) => !isNew || value !== null))
}
