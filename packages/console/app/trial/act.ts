/** What the cards of the trial share: carrying out a change, of which one at a time is under way. */
export type Act = (change: () => Promise<unknown>) => void;

export interface TrialCardProps {
  readonly id: string;
  /** Whether the policy is in a trial now; savepoints outlive it. */
  readonly isTrial: boolean;
  readonly isBusy: boolean;
  readonly act: Act;
}
