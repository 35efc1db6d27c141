/** The frame of every screen: navigation, and the active person. */
import { lazy, type ReactNode } from 'react';
import { Link, Redirect, Route, Switch, useLocation } from 'wouter';
import { LiveMark } from '../live/live-mark.js';
import { PoliciesScreen } from '../policies/policies-screen.js';
import { PolicyScreen } from '../policy/policy-screen.js';
import { notify, useNotice } from '../session/notice.js';
import { usePeople } from '../session/people.js';
import { PersonMenu } from '../session/person-menu.js';
import { SignedOut } from '../session/provider/provider-button.js';
import { SignIn } from '../session/sign-in.js';
import { texts } from '../texts.js';
import { FinderKey } from './finder-key.js';
import { ScreenBoundary } from '../ui/screen-boundary.js';

const RequestsScreen = lazy(async () => import('../requests/requests-screen.js'));
const RequestScreen = lazy(async () => import('../requests/request-screen.js'));
const OperatorScreen = lazy(async () => import('../operator/operator-screen.js'));
const RefusedScreen = lazy(async () => import('../requests/refused-screen.js'));

export function Shell(): ReactNode {
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
            <NavLink href="/operator">{texts.nav.operator}</NavLink>
          </nav>
        )}
        {active !== null && <LiveMark key={active.did} />}
        <PersonMenu />
        {active !== null && <FinderKey />}
      </header>
      <main id="main" tabIndex={-1}>
        <Notice />
        <SignedOut />
        {active === null ? <Welcome /> : <Screens key={active.did} />}
      </main>
    </>
  );
}

/** The router owns the fragment, so the link must not change it. */
function focusMain(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

const NavLink = ({ href, children }: { readonly href: string; readonly children: ReactNode }): ReactNode => (
  <Link href={href} className={(isActive) => (isActive ? 'active' : '')}>
    {children}
  </Link>
);

/** The error of a failed sign-in or sign-out. */
function Notice(): ReactNode {
  const notice = useNotice();
  if (notice === undefined) return null;
  return (
    <div className="failure notice spread" role="alert">
      <p>{notice}</p>
      <button
        type="button"
        onClick={() => {
          notify(undefined);
        }}
      >
        {texts.close}
      </button>
    </div>
  );
}

const Welcome = (): ReactNode => (
  <section className="card narrow">
    <h1>{texts.signIn.title}</h1>
    <SignIn />
  </section>
);

function Screens(): ReactNode {
  const [location] = useLocation();
  // Within a policy, each tab has its own error boundary, so the others stay usable.
  const screen = location.split('/').slice(0, 3).join('/');
  return (
    <ScreenBoundary key={screen}>
      <Switch>
        <Route path="/policies" component={PoliciesScreen} />
        <Route path="/policies/:id/page/beside/:block?">
          {({ id, block }) => <PolicyScreen key={id} id={id} tab="page" selected={block ?? null} isBeside />}
        </Route>
        <Route path="/policies/:id/:tab/:selected">
          {({ id, tab, selected }) => (
            <PolicyScreen key={id} id={id} tab={tab} selected={decodeURIComponent(selected)} />
          )}
        </Route>
        <Route path="/policies/:id/:tab?">
          {({ id, tab }) => <PolicyScreen key={id} id={id} tab={tab ?? 'page'} selected={null} />}
        </Route>
        <Route path="/operator" component={OperatorScreen} />
        <Route path="/requests" component={RequestsScreen} />
        <Route path="/requests/refused" component={RefusedScreen} />
        <Route path="/requests/:messageId">
          {({ messageId }) => <RequestScreen key={messageId} messageId={decodeURIComponent(messageId)} />}
        </Route>
        <Route>
          <Redirect to="/policies" replace />
        </Route>
      </Switch>
    </ScreenBoundary>
  );
}
