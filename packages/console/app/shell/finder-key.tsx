/** Ctrl-K or Cmd-K opens the search for everything, which is loaded then. */
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import { useRoute } from 'wouter';

const Finder = lazy(async () => import('../studio/finder/finder.js'));

export function FinderKey(): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const [isOfPolicy, params] = useRoute('/policies/:id/*?');
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      setIsOpen(true);
    };
    document.addEventListener('keydown', listen);
    return () => {
      document.removeEventListener('keydown', listen);
    };
  }, []);
  if (!isOpen) return null;
  return (
    <Suspense fallback={null}>
      <Finder
        policyId={isOfPolicy ? decodeURIComponent(params.id) : null}
        onClose={() => {
          setIsOpen(false);
        }}
      />
    </Suspense>
  );
}
