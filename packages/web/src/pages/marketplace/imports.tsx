import { Link } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { t } from '#src/pages/marketplace/texts.ts'
import { ListPage } from '#src/patterns/list-page.tsx'
import { WorkflowName } from '#src/patterns/workflow-name.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { ButtonLink } from '#src/ui/button-link.tsx'
import { Time } from '#src/ui/time.tsx'

/** What the account has imported, with notices of newer versions. */
export function Page() {
  const k = t
  return (
    <ListPage
      title={k.imported}
      name="marketplace.imports"
      load={(query) => api.marketplace.imports({ query })}
      id={({ workflowId }) => workflowId}
      href={({ workflowId }) => `/workflows/${workflowId}`}
      actions={<ButtonLink to="/marketplace">{k.title}</ButtonLink>}
      columns={[
        {
          head: m.starting.workflow,
          phone: 'main',
          cell: ({ workflowId }) => (
            <b className="b">
              <WorkflowName id={workflowId} />
            </b>
          ),
        },
        {
          head: k.entry,
          phone: 'below',
          cell: ({ entryId, title }) =>
            title === null ? <span className="i3">{k.gone}</span> : <Link to={`/marketplace/${entryId}`}>{title}</Link>,
        },
        { head: k.version, cell: ({ importedVersion }) => <span className="num">{importedVersion}</span> },
        {
          head: k.newer,
          phone: 'side',
          cell: ({ updateAvailable, latestVersion, notes }) =>
            updateAvailable ? (
              <span className="row wrap">
                <Badge tone="wait">{k.newerVersion(latestVersion ?? 0)}</Badge>
                <span className="i2">{notes}</span>
              </span>
            ) : null,
        },
        { head: k.importedAt, end: true, phone: 'below-side', cell: ({ importedAt }) => <Time at={importedAt} kind="ago" /> },
      ]}
      empty={{ title: k.noImports, text: k.noImportsText }}
    />
  )
}
