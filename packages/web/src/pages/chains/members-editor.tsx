import { m } from '#src/messages/messages.ts'
import { MemberCard } from '#src/pages/chains/member-card.tsx'
import { type MemberDraft, newMember } from '#src/pages/chains/member.ts'
import { Button } from '#src/ui/button.tsx'

interface MembersEditorProps {
  readonly members: readonly MemberDraft[]
  readonly change: (members: readonly MemberDraft[]) => void
  /** The workflow of a new member. */
  readonly first: string
  /** Messages of the server by pointer, such as `/members/2/mapping`. */
  readonly errors: ReadonlyMap<string, string>
  readonly pointer?: string
  /** The members of a group are no groups. */
  readonly inGroup?: boolean
}

/** The members of a chain in their order; those of a group run at the same time. */
export function MembersEditor({ members, change, first, errors, pointer = '/members', inGroup = false }: MembersEditorProps) {
  const c = m.chains
  const put = (at: number, next: MemberDraft) => change(members.map((one, index) => (index === at ? next : one)))
  const move = (at: number, by: -1 | 1) => {
    const list = [...members]
    const [taken] = list.splice(at, 1)
    if (taken !== undefined) change(list.toSpliced(at + by, 0, taken))
  }
  const add = (group: boolean) => {
    const made = newMember(freeName(members), first)
    change([...members, group ? { ...made, parallel: [newMember('one', first), newMember('two', first)] } : made])
  }
  return (
    <div className="members">
      <ol className={inGroup ? 'member-list group' : 'member-list'}>
        {members.map((member, at) => (
          <li key={member.key}>
            <MemberCard
              member={member}
              change={(next) => put(at, next)}
              errors={errors}
              pointer={`${pointer}/${at}`}
              up={at === 0 ? undefined : () => move(at, -1)}
              down={at === members.length - 1 ? undefined : () => move(at, 1)}
              remove={members.length === 1 ? undefined : () => change(members.toSpliced(at, 1))}
            >
              {member.parallel !== undefined && (
                <MembersEditor
                  inGroup
                  members={member.parallel}
                  change={(parallel) => put(at, { ...member, parallel })}
                  first={first}
                  errors={errors}
                  pointer={`${pointer}/${at}/parallel`}
                />
              )}
            </MemberCard>
          </li>
        ))}
      </ol>
      <div className="row wrap">
        <Button icon="plus" size={inGroup ? 'sm' : 'md'} onClick={() => add(false)}>
          {inGroup ? c.addBeside : c.add}
        </Button>
        {!inGroup && (
          <Button icon="list" onClick={() => add(true)}>
            {c.addGroup}
          </Button>
        )}
      </div>
    </div>
  )
}

function freeName(members: readonly MemberDraft[]): string {
  const names = new Set(members.map(({ name }) => name))
  for (let number = members.length + 1; ; number++) if (!names.has(`step${number}`)) return `step${number}`
}
