import { m } from '#src/messages/messages.ts'
import { Doors } from '#src/pages/home/doors.tsx'
import { Page as Shell } from '#src/patterns/page.tsx'
import { useMay } from '#src/session/use-may.ts'
import { Empty } from '#src/ui/empty.tsx'

/** The home page of an account without workflows: the ways to the first one, for those who may make it. */
export function First() {
  if (!useMay('workflows:write'))
    return (
      <Shell title={m.nav.home}>
        <Empty title={m.making.none} text={m.making.notYours} />
      </Shell>
    )
  return (
    <Shell title={m.home.title} place={m.nav.home} lede={m.home.lede}>
      <Doors />
    </Shell>
  )
}
