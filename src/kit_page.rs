//! `#/kit`: every component in every state, for those who build pages and those who test them.

use crate::kit::{
    Banner, Button, Check, CopyButton, Dialog, Empty, Icon, Kind, Pick, Pill, Progress, Segmented,
    SelectField, Shape, Spinner, State, Tabs, TextArea, TextField, Tone, VerdictIcon,
};
use leptos::prelude::*;
use wasm_split_helpers::{SplitLoaderError, wasm_split};

/// Fetches the page.
///
/// # Errors
/// The server did not give it.
#[wasm_split(kit, fallible)]
pub(crate) fn load() -> Result<fn() -> AnyView, SplitLoaderError> {
    Ok(|| view! { <KitPage /> }.into_any())
}

/// The page.
#[component]
fn KitPage() -> impl IntoView {
    view! {
        <div class="page padded">
            <h1>"Kit"</h1>
            <Buttons />
            <Choices />
            <Fields />
            <Notices />
            <crate::timeline::Demo />
        </div>
    }
}

#[component]
fn Buttons() -> impl IntoView {
    let pressed = RwSignal::new(0);
    let press = move |()| pressed.update(|count| *count += 1);
    let blocked = Signal::derive(|| Some("One finding stops this".to_owned()));
    let open = RwSignal::new(false);
    view! {
        <section class="card" aria-label="Buttons">
            <h2>"Buttons"</h2>
            <div class="row">
                <Button press>"Plain"</Button>
                <Button press kind=Kind::Ghost>"Ghost"</Button>
                <Button press kind=Kind::Primary>"Primary"</Button>
                <Button press kind=Kind::Primary blocked>"1 finding stops this"</Button>
                <Button press kind=Kind::Danger>"Danger"</Button>
                <Button press kind=Kind::Link>"A link in a sentence"</Button>
                <Button press kind=Kind::Icon title="Undo"><Icon shape=Shape::Undo /></Button>
                <Button press kind=Kind::Icon title="Redo" blocked=Signal::derive(|| Some("Nothing to redo".to_owned()))><Icon shape=Shape::Redo /></Button>
                <CopyButton text="idx_events_web_f290698762e7".to_owned() what="the id" />
                <span class="muted num">{move || format!("pressed {} times", pressed.get())}</span>
            </div>
            <div class="row"><Button press=move |()| open.set(true)>"Open a dialog"</Button></div>
            <Dialog open title="A dialog">
                <div class="body"><p>"Escape closes it; the focus stays inside and comes back."</p></div>
                <footer><Button press=move |()| open.set(false) kind=Kind::Primary>"Close"</Button></footer>
            </Dialog>
        </section>
    }
}

#[component]
fn Choices() -> impl IntoView {
    let view_of = RwSignal::new(1_u8);
    let tab = RwSignal::new(0_u8);
    let name = RwSignal::new("events_web".to_owned());
    let words = vec![(0_u8, "Now".to_owned()), (1, "After".to_owned()), (2, "Difference".to_owned())];
    let three = words.clone();
    view! {
        <section class="card" aria-label="Choices">
            <h2>"Choices"</h2>
            <div class="row">
                <Segmented label="View" options=words.clone() value=Signal::derive(move || Some(view_of.get())) choose=move |now| view_of.set(now) />
                <Segmented label="View, small" options=words value=Signal::derive(move || Some(view_of.get())) choose=move |now| view_of.set(now) class="small" />
                <Segmented label="None chosen" options=three value=Signal::derive(|| None::<u8>) choose=move |now| view_of.set(now) />
            </div>
            <Tabs label="Specification" options=vec![(0_u8, "Form".to_owned()), (1, "JSON".to_owned())] value=tab choose=move |now| tab.set(now) />
            <Pick label="Datasource" options=vec!["events_web".to_owned(), "metrics_ny".to_owned()] value=name choose=move |now| name.set(now) hint="Type a new name and press Enter" />
        </section>
    }
}

#[component]
fn Fields() -> impl IntoView {
    let text = RwSignal::new("2026-07-16T06:00Z".to_owned());
    let input = move |now| text.set(now);
    let on = RwSignal::new(true);
    let options = vec![("s3".to_owned(), "S3".to_owned()), ("inline".to_owned(), "Inline".to_owned())];
    let source = RwSignal::new("s3".to_owned());
    let state = |state: State| Signal::derive(move || state.clone());
    view! {
        <section class="card" aria-label="Fields">
            <h2>"Fields"</h2>
            <div class="columns">
                <TextField label="Plain" value=text input mono=true />
                <TextField label="Hint" value=text input state=state(State::Hint("ISO 8601, UTC".to_owned())) />
                <TextField label="Warned" value=text input mono=true state=state(State::Warned("Works on 16 Jul 00:00 → 18 Jul 00:00, 12 h more than typed".to_owned())) />
                <TextField label="Bad" value=text input mono=true state=state(State::Bad("Not an instant: “x” at character 4".to_owned())) />
                <TextField label="Empty" value="".to_owned() input placeholder="s3://bucket/prefix/" />
                <SelectField label="Select" options=options.clone() value=source choose=move |now| source.set(now) />
                <SelectField label="Unknown" options value="azure".to_owned() choose=move |_| {} />
                <Check label="dropExisting" value=on set=move |now| on.set(now) />
                <TextArea label="Several lines" value=text input />
            </div>
        </section>
    }
}

#[component]
fn Notices() -> impl IntoView {
    let tones = [Tone::Plain, Tone::Pass, Tone::Warn, Tone::Stop, Tone::Accent];
    view! {
        <section class="card" aria-label="Notices">
            <h2>"Notices"</h2>
            <div class="row">
                {tones.map(|tone| view! { <Pill tone>"14 pass"</Pill> }).collect_view()}
                {tones.map(|tone| view! { <VerdictIcon tone /> }).collect_view()}
                <Spinner label="Reading segments" />
            </div>
            <Progress label="Half way" value=Signal::derive(|| Some(0.5)) />
            <Banner tone=Tone::Plain>"The segments were read 4 minutes ago."</Banner>
            <Banner tone=Tone::Pass>"As foreseen: 24 of 24 chunks."</Banner>
            <Banner tone=Tone::Warn>"The cluster changed while you looked; the picture is new."</Banner>
            <Banner tone=Tone::Stop actions=|| view! { <Button press=|()| {}>"Try again"</Button> }>"The cluster does not answer. What you typed is kept."</Banner>
            <Empty title="No runs yet"><p>"A run appears here as soon as it is sent."</p></Empty>
        </section>
    }
}
