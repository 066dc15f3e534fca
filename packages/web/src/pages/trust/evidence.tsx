import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { boot } from '#src/boot.ts'
import { m } from '#src/messages/messages.ts'
import { Coverage } from '#src/pages/trust/coverage.tsx'
import { PackForm } from '#src/pages/trust/pack-form.tsx'
import { Packs } from '#src/pages/trust/packs.tsx'
import { PersonalData } from '#src/pages/trust/personal-data.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'
import { Page as Shell } from '#src/patterns/page.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Button } from '#src/ui/button.tsx'

/** What an auditor gets: packs, the coverage of the audit log, and which personal data runs through which workflows. */
export function Page() {
  const e = m.evidence
  const { open, sheet } = useSheet()
  const coverage = useQuery({ queryKey: ['evidence'], queryFn: () => api.archivist.analytics({ query: {} }) })
  return (
    <Shell
      title={e.title}
      lede={e.lede}
      wide
      actions={
        boot.flags.includes('isgovernedtyEvidenceEnabled') ? (
          <Button look="primary" icon="seal" onClick={() => open(e.makePack, () => <PackForm />)}>
            {e.makePack}
          </Button>
        ) : undefined
      }
    >
      {boot.flags.includes('isgovernedtyEvidenceEnabled') && <Packs />}
      <Loaded query={coverage}>{(data) => <Coverage data={data} />}</Loaded>
      <PersonalData />
      {sheet}
    </Shell>
  )
}
