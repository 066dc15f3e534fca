import { ClientError } from '@millrace/client'
import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import type { FieldSpec } from '#src/forms/field.tsx'
import { FieldProblems } from '#src/forms/use-form.ts'
import { m } from '#src/messages/messages.ts'
import { t } from '#src/pages/tables/texts.ts'
import { Loaded } from '#src/patterns/loaded.tsx'
import { numberIn, type Row, textOf, type Value, valueIn } from './columns.ts'

interface RowFormProps {
  readonly table: string
  /** Undefined for a new row. */
  readonly rowKey: string | undefined
  /** The names of the columns that other rows have. */
  readonly names: readonly string[]
  readonly done: () => Promise<unknown>
}

/** A row with a field for each column, as it is now: another person may have changed it since the list was read. */
export function RowForm({ table, rowKey, names, done }: RowFormProps) {
  const row = useQuery({
    queryKey: ['row', table, rowKey],
    enabled: rowKey !== undefined,
    staleTime: 0,
    gcTime: 0,
    queryFn: () => api.tables.row({ params: { table, key: rowKey ?? '' } }),
  })
  if (rowKey === undefined) return <Columns table={table} row={undefined} names={names} done={done} />
  return <Loaded query={row}>{(data) => <Columns table={table} row={data} names={names} done={done} />}</Loaded>
}

type Texts = Readonly<Record<string, string>>

/** No field of a column has the name of another field. */
const fieldOf = (column: string) => `column ${column}`

function Columns({ table, row, names, done }: Omit<RowFormProps, 'rowKey'> & { readonly row: Row | undefined }) {
  const columns = [...new Set([...Object.keys(row?.columns ?? {}), ...names])]
  const initial: Texts = {
    key: row?.key ?? '',
    ...Object.fromEntries(columns.map((name) => [fieldOf(name), textOf(valueIn(row?.columns, name))])),
    newName: '',
    newValue: '',
    expiresIn: '',
  }
  return (
    <DataForm
      initial={initial}
      fields={[
        ...(row === undefined ? [{ name: 'key', label: t.key, hint: t.keyHint, required: true, autoFocus: true }] : []),
        ...columns.map((name) => columnField(name, valueIn(row?.columns, name))),
        { name: 'newName', label: t.newColumn, advanced: columns.length > 0 },
        { name: 'newValue', label: t.newValue, advanced: columns.length > 0 },
        ...(row === undefined || row.expiresAt !== null
          ? [{ name: 'expiresIn', label: t.keep, kind: 'select', options: t.spans, advanced: true } as const]
          : []),
      ]}
      send={async (texts) => {
        const body = {
          columns: columnsOf(texts, columns, row),
          ...(texts['expiresIn'] === '' ? {} : { expiresIn: texts['expiresIn'] ?? '' }),
        }
        if (row === undefined) await add(table, (texts['key'] ?? '').trim(), body)
        else await api.tables.putRow({ params: { table, key: row.key }, body }, { ifMatch: row.revision })
        await done()
      }}
      label={m.common.save}
    />
  )
}

function columnField(name: string, value: Value | undefined): FieldSpec {
  return { name: fieldOf(name), label: name, ...(isNested(value) ? { kind: 'code' } : {}) }
}

const isNested = (value: Value | undefined) => typeof value === 'object' && value !== null

/** A row that exists stays as it is. */
async function add(table: string, key: string, body: { readonly columns: Row['columns'] }): Promise<void> {
  try {
    await api.tables.putRow({ params: { table, key }, body: { ...body, isNew: true } })
  } catch (error) {
    const isThere = error instanceof ClientError && error.problem.code === 'revision_mismatch'
    throw isThere ? new FieldProblems({ key: t.keyTaken }) : error
  }
}

function columnsOf(texts: Texts, columns: readonly string[], row: Row | undefined): Row['columns'] {
  const entries = columns.flatMap((name): [string, Value][] => {
    const value = valueOf(name, texts[fieldOf(name)] ?? '', valueIn(row?.columns, name))
    return value === undefined ? [] : [[name, value]]
  })
  const newName = (texts['newName'] ?? '').trim()
  const newValue = newName === '' ? undefined : valueOf(newName, texts['newValue'] ?? '', undefined)
  return Object.fromEntries(newValue === undefined ? entries : [...entries, [newName, newValue]])
}

/** What a person typed, as a value like the one before; undefined for nothing, which leaves the column out. */
function valueOf(name: string, text: string, before: Value | undefined): Value | undefined {
  if (text === textOf(before)) return before
  if (text === '') return undefined
  if (typeof before === 'string') return text
  if (isNested(before)) return jsonIn(name, text)
  const read = text === 'true' ? true : text === 'false' ? false : (numberIn(text, '.') ?? numberIn(text, ','))
  if (read === undefined && typeof before === 'number') throw new FieldProblems({ [fieldOf(name)]: t.noNumber })
  if (typeof read !== 'boolean' && typeof before === 'boolean') throw new FieldProblems({ [fieldOf(name)]: t.noBoolean })
  return read ?? text
}

function jsonIn(name: string, text: string): Value {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON.parse makes nothing else.
    return JSON.parse(text) as Value
  } catch {
    throw new FieldProblems({ [fieldOf(name)]: t.noJson })
  }
}
