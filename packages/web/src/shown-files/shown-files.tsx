import type { FilePlace } from '#src/shown-files/file-content.ts'
import { type NamedFile, ShownFile } from '#src/shown-files/shown-file.tsx'

interface ShownFilesProps {
  readonly label: string
  readonly files: readonly NamedFile[]
  readonly placeOf: (file: NamedFile) => FilePlace
}

/** Files that data name, below the data. */
export function ShownFiles({ label, files, placeOf }: ShownFilesProps) {
  return (
    <ul className="shown-files" aria-label={label}>
      {files.map((file) => (
        <li key={file.id}>
          <ShownFile file={file} place={placeOf(file)} />
        </li>
      ))}
    </ul>
  )
}
