import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { InputError } from '#src/api/json.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { t } from '#src/pages/tables/texts.ts'
import { toast } from '#src/ui/toast.tsx'
import { number } from '#src/values/format.ts'
import { columnsOf, type ImportedRow, type Reading, rowsOf } from './csv-rows.ts'
import { ImportPreview } from './import-preview.tsx'
import { type CsvFile, readCsv } from './read-csv.ts'

/** Writes the lines of a CSV file as rows, some hundred at a time. */
export function ImportRows({ table, done }: { readonly table: string; readonly done: () => Promise<unknown> }) {
  const [file, setFile] = useState<CsvFile>()
  const [problem, setProblem] = useState<string>()
  const [round, setRound] = useState(0)
  const choose = (chosen: File | undefined) => {
    if (chosen === undefined) return
    // What was said of an earlier file, also of one with the same name, is not true of this one.
    setRound((before) => before + 1)
    setProblem(undefined)
    readCsv(chosen).then(setFile, (error: unknown) => {
      setFile(undefined)
      setProblem(`${chosen.name}: ${error instanceof InputError ? error.message : t.unreadable}`)
    })
  }
  const initial: Values = { keyColumn: file?.columns[0] ?? '', decimal: file?.decimal ?? '.', placeholders: 'empty' }
  return (
    <DataForm
      key={`${round} ${file?.name}`}
      initial={initial}
      before={
        <>
          <label className="drop">
            <input
              type="file"
              accept=".csv,text/csv"
              className="vh"
              onChange={({ target }) => {
                choose(target.files?.[0])
                // A file that was corrected has the same name, and is chosen again.
                target.value = ''
              }}
            />
            <span className="btn">{t.choose}</span>
            <span className="t13 i2">{file === undefined ? t.chosen : <bdi className="mono wrap-any">{file.name}</bdi>}</span>
          </label>
          {problem !== undefined && <p role="alert">{problem}</p>}
        </>
      }
      fields={(values) =>
        file === undefined
          ? []
          : [
              { name: 'keyColumn', label: t.keyColumn, kind: 'select', options: named(file.columns), hint: t.keyColumnHint },
              { name: 'decimal', label: t.decimal, kind: 'select', options: t.decimals },
              ...(hasPlaceholders(file, values)
                ? [{ name: 'placeholders', label: t.placeholders, kind: 'select', options: t.placeholderChoices } as const]
                : []),
            ]
      }
      below={(values) => file !== undefined && <ImportPreview file={file} reading={values} />}
      send={async (values) => {
        if (file === undefined) throw new InputError(t.noFile)
        const { rows, faults } = rowsOf(file, values)
        if (faults.length > 0) throw new InputError(t.correctFirst)
        const { created, replaced } = await send(table, rows)
        toast(t.imported(number(created), number(replaced)))
        await done()
      }}
      label={file === undefined ? t.importFile : t.importing(number(file.lines.length))}
    />
  )
}

interface Values extends Reading, Readonly<Record<string, unknown>> {}

const hasPlaceholders = (file: CsvFile, reading: Reading) =>
  [...columnsOf(file, reading).values()].some(({ withoutPlaceholders }) => withoutPlaceholders !== undefined)

const named = (names: readonly string[]) => names.map((name) => [name, name] as const)

/** As many as one request takes. */
const rowsAtATime = 1_000
const bytesAtATime = 4 * 1024 * 1024

async function send(table: string, rows: readonly ImportedRow[]): Promise<{ readonly created: number; readonly replaced: number }> {
  const sums = { created: 0, replaced: 0 }
  const batch: ImportedRow[] = []
  let bytes = 0
  const flush = async () => {
    const body = { rows: batch.splice(0), keepsOthers: true }
    const { created, replaced } = await api.tables.importRows({ params: { table }, body })
    sums.created += created
    sums.replaced += replaced
    bytes = 0
  }
  for (const row of rows) {
    batch.push(row)
    bytes += JSON.stringify(row).length
    if (batch.length === rowsAtATime || bytes > bytesAtATime) await flush()
  }
  if (batch.length > 0) await flush()
  return sums
}
