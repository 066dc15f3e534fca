import type { groups, Reply } from '@millrace/contract'
import { useState } from 'react'
import { boot } from '#src/boot.ts'
import { contentAt, type FilePlace, usePicture } from '#src/shown-files/file-content.ts'
import { Dialog } from '#src/ui/dialog.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { wordsOf } from '#src/ui/problem.tsx'
import { toast } from '#src/ui/toast.tsx'
import { bytes } from '#src/values/format.ts'
import { saveFile } from '#src/values/save-file.ts'

// Only data with a file read them: the texts of all pages load with every page.
const { files: f } = await (boot.locale === 'ar' ? import('#src/messages/ar/files.ts') : import('#src/messages/en/files.ts'))

export type NamedFile = Reply<(typeof groups)['files']['ofExecution']>['files'][number]

export interface ShownFileProps {
  readonly file: NamedFile
  readonly place: FilePlace
}

/** Of a picture that is read without being asked for. */
const pictureBytesMax = 12 * 1024 * 1024

/** A file that data name: a picture that opens larger, or a link that saves it. */
export function ShownFile({ file, place }: ShownFileProps) {
  const [isBroken, setBroken] = useState(false)
  const isPicture = file.isPicture && file.size <= pictureBytesMax && !isBroken
  return (
    <span className="shown-file">
      {isPicture && <Picture file={file} place={place} onBroken={() => setBroken(true)} />}
      <span className="shown-words">
        <Save file={file} place={place} />
        <span className="t12 i3">
          {typeWords(file)} · <span className="num">{bytes(file.size)}</span>
        </span>
      </span>
    </span>
  )
}

function Picture({ file, place, onBroken }: ShownFileProps & { readonly onBroken: () => void }) {
  const [isLarge, setLarge] = useState(false)
  const { src, isError } = usePicture(place)
  if (isError) return null
  const name = lastName(file.name)
  return (
    <>
      <button type="button" className="thumb" onClick={() => setLarge(true)}>
        {src === undefined ? <span className="vh">{f.larger(name)}</span> : <img src={src} alt={f.larger(name)} onError={onBroken} />}
      </button>
      {isLarge && src !== undefined && (
        <Dialog title={name} onClose={() => setLarge(false)}>
          <img className="large-picture" src={src} alt={name} />
          <div className="row">
            <Save file={file} place={place} />
          </div>
        </Dialog>
      )}
    </>
  )
}

function Save({ file, place }: ShownFileProps) {
  const name = lastName(file.name)
  const words = (
    <>
      <Icon name="download" />
      <span className="vh">{f.download} </span>
      <bdi className="wrap-any">{name}</bdi>
    </>
  )
  if (place.isOpen)
    return (
      <a className="shown-name" href={place.address} download={name}>
        {words}
      </a>
    )
  const save = () =>
    contentAt(place.address)
      .then((content) => saveFile(name, content, 'application/octet-stream'))
      .catch((error: unknown) => toast(wordsOf(error).detail, 'faulted'))
  return (
    <button type="button" className="link shown-name" onClick={() => void save()}>
      {words}
    </button>
  )
}

/** The name that its sender gave a file. */
function lastName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

/** The extension as people know it, else the media type. */
function typeWords({ name, contentType }: NamedFile): string {
  const extension = /\.(?<end>[a-z0-9]{1,5})$/i.exec(name)?.groups?.['end']
  return extension?.toUpperCase() ?? contentType
}
