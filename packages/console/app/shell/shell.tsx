/** The frame of every screen: where one is, who one is, and the way to the others. */
import { lazy, Suspense, type ReactNode } from 'react';
import { Link, Redirect, Route, Switch } from 'wouter';
import { LiveMark } from '../live/live-mark.js';
import { PoliciesScreen } from '../policies/policies-screen.js';
import { PolicyScreen } from '../policy/policy-screen.js';
import { usePeople } from '../session/people.js';
import { PersonMenu } from '../session/person-menu.js';
import { SignIn } from '../session/sign-in.js';
import { texts } from '../texts.js';

const RequestsScreen = lazy(async () => import('../requests/requests-screen.js'));

/** `problem`: why signing in by the address has failed. */
export function Shell({ problem }: { readonly problem: string | undefined }): ReactNode {
  const { active } = usePeople();
  return (
    <>
      <a className="skip" href="#main" onClick={focusMain}>
        {texts.skip}
      </a>
      <header className="top">
        <Link href="/policies" className="product">
          {texts.product}
        </Link>
        {active !== null && (
          <nav aria-label={texts.product}>
            <NavLink href="/policies">{texts.nav.policies}</NavLink>
            <NavLink href="/requests">{texts.nav.requests}</NavLink>
          </nav>
        )}
        {active !== null && <LiveMark key={active.did} />}
        <PersonMenu />
      </header>
      <main id="main" tabIndex={-1}>
        {active === null ? <Welcome problem={problem} /> : <Screens key={active.did} />}
      </main>
    </>
  );
}

/** The hash is the router's, so the link must not change it. */
function focusMain(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

const NavLink = ({ href, children }: { readonly href: string; readonly children: ReactNode }): ReactNode => (
  <Link href={href} className={(isActive) => (isActive ? 'active' : '')}>
    {children}
  </Link>
);

const Welcome = ({ problem }: { readonly problem: string | undefined }): ReactNode => (
  <section className="card narrow">
    <h1>{texts.signIn.title}</h1>
    {problem !== undefined && (
      <p className="failure" role="alert">
        {problem}
      </p>
    )}
    <SignIn />
  </section>
);

const Screens = (): ReactNode => (
  <Suspense fallback={<p className="quiet padded">{texts.loading}</p>}>
    <Switch>
      <Route path="/policies" component={PoliciesScreen} />
      <Route path="/policies/:id/:tab/:selected">
        {({ id, tab, selected }) => <PolicyScreen key={id} id={id} tab={tab} selected={decodeURIComponent(selected)} />}
      </Route>
      <Route path="/policies/:id/:tab?">
        {({ id, tab }) => <PolicyScreen key={id} id={id} tab={tab ?? 'page'} selected={null} />}
      </Route>
      <Route path="/requests" component={RequestsScreen} />
      <Route>
        <Redirect to="/policies" replace />
      </Route>
    </Switch>
  </Suspense>
);
