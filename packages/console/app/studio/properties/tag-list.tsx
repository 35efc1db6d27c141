/** The tags of the policy, as proposals for all fields that name a block: one list, which may have thousands. */
import { memo, type ReactNode } from 'react';

/** Id of the list. */
export const TAG_LIST = 'tags-of-policy';

interface ListProps {
  readonly tags: ReadonlySet<string>;
}

export const TagList = memo(function TagList({ tags }: ListProps): ReactNode {
  return (
    <datalist id={TAG_LIST}>
      {[...tags].map((tag) => (
        <option key={tag} value={tag} />
      ))}
    </datalist>
  );
}, isSame);

/** Most edits leave the tags as they are. */
function isSame({ tags: before }: ListProps, { tags }: ListProps): boolean {
  return before.size === tags.size && [...before].every((tag) => tags.has(tag));
}
