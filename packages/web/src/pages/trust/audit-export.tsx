import { useMutation } from '@tanstack/react-query'
import { fetchFile } from '#src/api/fetch-file.ts'
import { words } from '#src/pages/trust/audit-sentence.tsx'
import { Button } from '#src/ui/button.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { toast } from '#src/ui/toast.tsx'
import { bytes } from '#src/values/format.ts'
import { saveFile } from '#src/values/save-file.ts'

type Search = Readonly<Record<string, string>>

interface AuditExportProps {
  /** The search of the page in the words of the operation. */
  readonly search: Search
  /** What the page is filtered by, in words: the name of a filter and its value. */
  readonly filters: readonly (readonly [string, string])[]
  readonly done: () => void
}

const formats = ['csv', 'jsonl'] as const

/** Saves what the page is filtered by as a file, and says what that is. */
export function AuditExport({ search, filters, done }: AuditExportProps) {
  const w = words.export
  const save = useMutation({
    mutationFn: async (format: (typeof formats)[number]) => {
      const file = await fetchExport({ ...search, format })
      const name = `audit-${new Date().toISOString().slice(0, 10)}.${format}`
      saveFile(name, file, file.type)
      toast(w.saved(name, bytes(file.size)))
      done()
    },
  })
  return (
    <div className="form">
      <p>{filters.length === 0 ? w.whole : w.filtered}</p>
      {filters.length > 0 && (
        <dl className="fact-list">
          {filters.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
      <p className="t13 i2">{w.text}</p>
      <div className="row wrap">
        {formats.map((format) => (
          <Button
            key={format}
            look={format === 'csv' ? 'primary' : 'plain'}
            icon="download"
            busy={save.isPending && save.variables === format}
            disabled={save.isPending}
            onClick={() => save.mutate(format)}
          >
            {w.formats[format]}
          </Button>
        ))}
      </div>
      {save.error instanceof BrokenOff ? (
        <p className="c-bad" role="alert">
          {w.brokeOff}
        </p>
      ) : (
        save.isError && <ProblemPanel error={save.error} />
      )}
    </div>
  )
}

/** The file was not received as a whole. */
class BrokenOff extends Error {}

/** Throws `BrokenOff` for a file that is not whole. */
async function fetchExport(query: Search): Promise<Blob> {
  try {
    return await fetchFile('audit.exportEvents', `/api/v1/audit/export?${new URLSearchParams(query).toString()}`)
  } catch (error) {
    throw error instanceof TypeError ? new BrokenOff(words.export.brokeOff, { cause: error }) : error
  }
}
